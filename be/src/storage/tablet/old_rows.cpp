// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/old_rows.h"

#include <roaring/roaring.hh>

#include "storage/memtable/sorted_rows.h"
#include "storage/schema_codec.h"
#include "storage/segment/column_reader.h"
#include "storage/segment/primary_key_writer.h"
#include "storage/segment/row_store.h"
#include "storage/tablet/key_search.h"
#include "storage/tablet/scan_columns.h"

namespace thetis {

namespace {

/// Fewer columns are read sooner from their own pages than from whole rows.
constexpr size_t kMinRowStoreColumns = 4;
constexpr uint32_t kMaxWindowRows = 4096;

/// A row that was written before the table had a row store is empty there.
bool is_every_row_stored(const Column& rows) {
    const ColumnView<StringRef> bytes(rows);
    for (uint32_t row = 0; row < rows.size(); ++row) {
        if (bytes[row].size() == 0) {
            return false;
        }
    }
    return true;
}

/// Any ascending rows of one column.
Result<ColumnPtr> read_rows(ColumnReader& reader, std::span<const uint32_t> rows) {
    std::vector<ColumnPtr> parts;
    for (size_t begin = 0; begin < rows.size();) {
        Selection window;
        size_t end = begin;
        while (end < rows.size() && rows[end] - rows[begin] < kMaxWindowRows) {
            window.push_back(static_cast<uint16_t>(rows[end++] - rows[begin]));
        }
        ASSIGN_OR_RETURN(ColumnPtr part, reader.read(rows[begin], window));
        parts.push_back(part->flatten(part));
        begin = end;
    }
    return parts.size() == 1 ? parts.front() : concatenate(parts);
}

}  // namespace

Result<OldRows> OldRows::find(
    TabletSchemaPtr schema,
    std::span<const RowsetPtr> rowsets,
    int64_t version,
    std::span<const ColumnPtr> keys
) {
    OldRows found;
    found.schema_ = std::move(schema);
    found.num_rows_ = keys[0]->size();
    RETURN_IF_ERROR(found.find_keys(rowsets, version, keys));
    RETURN_IF_ERROR(found.drop_signed_rows());
    return found;
}

Status OldRows::find_keys(
    std::span<const RowsetPtr> rowsets, int64_t version, std::span<const ColumnPtr> keys
) {
    places_.assign(num_rows_, -1);
    is_signed_.assign(num_rows_, 0);
    if (num_rows_ == 0) {
        return {};
    }
    SortKeys encoded;
    make_key_encoder(*schema_).encode(keys, nullptr, num_rows_, encoded);
    ASSIGN_OR_RETURN(
        KeySearch search, KeySearch::open(rowsets, version, encoded[0], encoded[num_rows_ - 1])
    );
    const auto is_live = [&](size_t place, uint32_t row) {
        const RowBitmapPtr& deleted = search.places()[place].deleted;
        return deleted == nullptr || !deleted->contains(row);
    };
    std::vector<int> place_of(num_rows_);
    sources_.resize(search.places().size());
    for (uint32_t row = 0; row < num_rows_; ++row) {
        ASSIGN_OR_RETURN(place_of[row], search.find(encoded[row], is_live));
        if (place_of[row] >= 0) {
            const auto place = static_cast<size_t>(place_of[row]);
            sources_[place].rows.push_back(search.places()[place].keys.row());
            ++num_found_;
        }
    }
    num_missing_ = num_rows_ - num_found_;
    std::vector<int32_t> next(sources_.size());
    int32_t begin = 0;
    for (size_t i = 0; i < sources_.size(); ++i) {
        sources_[i].segment = search.places()[i].segment;
        next[i] = begin;
        begin += static_cast<int32_t>(sources_[i].rows.size());
    }
    for (uint32_t row = 0; row < num_rows_; ++row) {
        if (place_of[row] >= 0) {
            places_[row] = next[static_cast<size_t>(place_of[row])]++;
        }
    }
    std::erase_if(sources_, [](const Source& source) { return source.rows.empty(); });
    return {};
}

Status OldRows::drop_signed_rows() {
    if (!schema_->delete_sign_id().has_value() || num_found_ == 0) {
        return {};
    }
    const SchemaColumn& sign =
        schema_->columns()[*schema_->find_column(*schema_->delete_sign_id())];
    std::vector<uint8_t> signs;
    for (const Source& source : sources_) {
        ASSIGN_OR_RETURN(const ColumnPtr values, read_found(source, sign));
        const auto* bytes = values->values<uint8_t>();
        signs.insert(signs.end(), bytes, bytes + values->size());
    }
    for (uint32_t row = 0; row < num_rows_; ++row) {
        if (places_[row] >= 0 && signs[static_cast<size_t>(places_[row])] != 0) {
            is_signed_[row] = 1;
            ++num_missing_;
        }
    }
    return {};
}

Result<ColumnPtr> OldRows::read_found(const Source& source, const SchemaColumn& column) const {
    ASSIGN_OR_RETURN(
        auto reader,
        ColumnReader::open(
            SegmentSource{.segment = source.segment}, scan_column(column), std::nullopt
        )
    );
    return read_rows(*reader, source.rows);
}

Result<std::vector<ColumnPtr>> OldRows::read_source(
    const Source& source, std::span<const size_t> positions
) const {
    const std::vector<int32_t> stored = row_store_columns(*schema_);
    std::vector<RowStoreColumn> wanted;
    bool is_stored = positions.size() >= kMinRowStoreColumns && !stored.empty() &&
                     source.segment->has_column(*schema_->row_store_id());
    for (const size_t position : positions) {
        const SchemaColumn& column = schema_->columns()[position];
        is_stored = is_stored && std::binary_search(stored.begin(), stored.end(), column.unique_id);
        wanted.push_back({column.unique_id, column.type, scan_column(column).missing_value});
    }
    if (is_stored) {
        const size_t position = *schema_->find_column(*schema_->row_store_id());
        ASSIGN_OR_RETURN(const ColumnPtr rows, read_found(source, schema_->columns()[position]));
        if (is_every_row_stored(*rows)) {
            auto decoded = decode_row_store(*rows, wanted);
            return decoded.ok() ? std::move(decoded)
                                : decoded.status().with_context("{}", source.segment->path());
        }
    }
    std::vector<ColumnPtr> columns;
    for (const size_t position : positions) {
        ASSIGN_OR_RETURN(columns.emplace_back(), read_found(source, schema_->columns()[position]));
    }
    return columns;
}

Result<ColumnPtr> OldRows::new_value_of(
    const SchemaColumn& column, std::span<const NewValue> new_values
) {
    const auto given =
        std::find_if(new_values.begin(), new_values.end(), [&](const NewValue& value) {
            return value.column_unique_id == column.unique_id;
        });
    if (given == new_values.end()) {
        return default_of(column);
    }
    if (given->bytes.has_value()) {
        return value_from_bytes(column.type, *given->bytes);
    }
    if (!column.type.nullable) {
        return ColumnPtr();
    }
    ColumnBuilder builder(column.type, 1);
    builder.append_null();
    return builder.finish();
}

Result<std::vector<ColumnPtr>> OldRows::read(
    std::span<const size_t> positions, std::span<const NewValue> new_values, bool any_default
) const {
    std::vector<std::vector<ColumnPtr>> parts(positions.size());
    for (const Source& source : sources_) {
        ASSIGN_OR_RETURN(std::vector<ColumnPtr> columns, read_source(source, positions));
        for (size_t i = 0; i < positions.size(); ++i) {
            parts[i].push_back(std::move(columns[i]));
        }
    }
    std::vector<ColumnPtr> result;
    for (size_t i = 0; i < positions.size(); ++i) {
        const SchemaColumn& column = schema_->columns()[positions[i]];
        const bool is_sequence = column.unique_id == schema_->sequence_id();
        ASSIGN_OR_RETURN(ColumnPtr missing, new_value_of(column, new_values));
        if (missing == nullptr && any_default) {
            ColumnBuilder builder(column.type, 1);
            builder.append_defaults(1);
            missing = builder.finish();
        }
        if (missing == nullptr && num_missing_ > 0) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "A partial update has keys that are not in the table, and column {} is NOT NULL "
                "without a default",
                column.name
            );
        }
        // The default stands behind all old values.
        std::vector<uint32_t> from(num_rows_);
        for (uint32_t row = 0; row < num_rows_; ++row) {
            const bool is_old = places_[row] >= 0 && (is_signed_[row] == 0 || is_sequence);
            from[row] = is_old ? static_cast<uint32_t>(places_[row]) : num_found_;
        }
        if (missing != nullptr) {
            parts[i].push_back(missing);
        }
        const ColumnPtr all = concatenate(parts[i]);
        result.push_back(gather(all->flatten(all), from.data(), num_rows_));
    }
    return result;
}

}  // namespace thetis
