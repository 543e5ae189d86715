// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/point_reader.h"

#include <algorithm>
#include <cstring>

#include "storage/segment/primary_key_writer.h"
#include "storage/tablet/scan_columns.h"
#include "storage/tablet/tablet.h"

namespace thetis {

namespace {

/// Where the value of a flat column's row lies.
RowCell cell_of(const Column& column, uint32_t row) {
    if (column.is_null(row)) {
        return {.state = RowCell::State::kNull};
    }
    return visit_physical(column.physical(), [&]<typename T>(T) {
        const T& value = column.values<T>()[row];
        if constexpr (std::is_same_v<T, StringRef>) {
            return RowCell{value.data(), value.size(), RowCell::State::kValue};
        } else {
            return RowCell{
                reinterpret_cast<const char*>(&value), sizeof(value), RowCell::State::kValue
            };
        }
    });
}

bool is_known(const RowCell& cell) {
    return cell.state != RowCell::State::kUnknown;
}

}  // namespace

PointColumns::PointColumns(TabletSchemaPtr schema, SortKeyEncoder encoder)
    : schema_(std::move(schema)), encoder_(std::move(encoder)) {}

Result<std::shared_ptr<const PointColumns>> PointColumns::create(
    TabletSchemaPtr schema, std::span<const int32_t> column_unique_ids
) {
    if (!schema->is_merge_on_write()) {
        return Status::error(
            ErrorCode::kInvalidArgument, "Only merge-on-write tables are looked up by key"
        );
    }
    auto result = std::make_shared<PointColumns>(schema, make_key_encoder(*schema));
    std::vector<int32_t> ids(column_unique_ids.begin(), column_unique_ids.end());
    result->num_wanted_ = ids.size();
    if (const auto sign = schema->delete_sign_id()) {
        const auto wanted = std::find(ids.begin(), ids.end(), *sign);
        result->sign_ = static_cast<size_t>(wanted - ids.begin());
        if (wanted == ids.end()) {
            ids.push_back(*sign);
        }
    }
    std::vector<RowCellReader::Column> cells;
    for (const int32_t id : ids) {
        if (std::count(ids.begin(), ids.end(), id) > 1) {
            return Status::error(
                ErrorCode::kInvalidArgument, "Column of unique id {} is wanted twice", id
            );
        }
        ASSIGN_OR_RETURN(const ScanColumn scan, find_scan_column(*schema, id));
        Column column{
            .unique_id = id,
            .type = scan.type,
        };
        column.is_version =
            id == schema->version_id() && scan.type.physical() == PhysicalType::kInt64;
        column.missing_value = scan.missing_value->flatten(scan.missing_value);
        column.missing = cell_of(*column.missing_value, 0);
        cells.push_back({id, scan.type});
        result->columns_.push_back(std::move(column));
    }
    if (result->sign_.has_value() &&
        result->columns_[*result->sign_].type.physical() != PhysicalType::kInt8) {
        return Status::error(ErrorCode::kInvalidArgument, "The delete sign is no TINYINT");
    }
    result->cells_ = RowCellReader(cells);
    return std::shared_ptr<const PointColumns>(std::move(result));
}

Status PointColumns::encode_key(std::string_view packed, std::string& key) const {
    if (!encoder_.encode_packed(packed, key)) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "{} bytes are no key of {} columns",
            packed.size(),
            schema_->num_key_columns()
        );
    }
    return {};
}

Result<bool> PointReader::find(
    const Tablet& tablet,
    const PointView& view,
    const PointColumns& columns,
    std::string_view key,
    RowCache* cache
) {
    auto found = find_row(tablet, view, columns, key, cache);
    if (!found.ok() && found.status().code() == ErrorCode::kCorruption) {
        tablet.note_damage(found.status());
    }
    return found;
}

Result<bool> PointReader::find_row(
    const Tablet& tablet,
    const PointView& view,
    const PointColumns& columns,
    std::string_view key,
    RowCache* cache
) {
    cache_ = cache;
    held_.clear();
    was_cached_ = false;
    cells_.resize(columns.columns_.size());
    const uint64_t hash = SplitBlockFilter::hash(key);
    if (cache_ == nullptr) {
        return find_in_segments(tablet, view, columns, key, hash, {});
    }
    CachedRowPtr cached = cache_->find(tablet.instance(), key, hash);
    if (cached == nullptr || cached->version() > view.version()) {
        return find_in_segments(tablet, view, columns, key, hash, {});
    }
    if (const int64_t version = cached->version(); version < view.version()) {
        ASSIGN_OR_RETURN(const bool is_doubtful, view.may_have_changed(key, hash, version));
        if (is_doubtful) {
            return find_in_segments(tablet, view, columns, key, hash, {});
        }
        cached->verified_at(view.version());
    }
    if (cached->row().empty()) {
        was_cached_ = true;
        return false;
    }
    RETURN_IF_ERROR(columns.cells_.read(cached->row(), cells_.data()));
    // Rows in the cache have no delete sign, whether they say so or not.
    if (!std::all_of(
            cells_.begin(), cells_.begin() + static_cast<ptrdiff_t>(columns.size()), is_known
        )) {
        // Other look-ups of this row wanted other columns.
        return find_in_segments(tablet, view, columns, key, hash, cached->row());
    }
    held_.push_back(std::move(cached));
    fill_in_missing(columns);
    was_cached_ = true;
    return true;
}

Result<bool> PointReader::find_in_segments(
    const Tablet& tablet,
    const PointView& view,
    const PointColumns& columns,
    std::string_view key,
    uint64_t hash,
    std::string_view known_row
) {
    ASSIGN_OR_RETURN(const PointView::Row row, view.find(key, hash));
    if (row.place != nullptr) {
        RETURN_IF_ERROR(read_row(row, columns));
    }
    bool is_there = row.place != nullptr;
    if (is_there && columns.sign_.has_value()) {
        const RowCell& sign = cells_[*columns.sign_];
        is_there = sign.state != RowCell::State::kValue || *sign.data == 0;
    }
    if (cache_ != nullptr) {
        std::string known;
        if (is_there) {
            const std::string_view base = known_row.empty() ? stored_row_ : known_row;
            known = is_whole_ ? std::string(base) : columns.cells_.complete(base, cells_.data());
        }
        cache_->insert(tablet.instance(), key, hash, std::move(known), view.version());
    }
    if (is_there) {
        fill_in_missing(columns);
    }
    return is_there;
}

Status PointReader::read_row(const PointView::Row& row, const PointColumns& columns) {
    const Segment& segment = *row.opened->segment;
    const auto row_store = columns.schema_->row_store_id();
    stored_row_ = {};
    std::fill(cells_.begin(), cells_.end(), RowCell{});
    if (row_store.has_value() && segment.has_column(*row_store)) {
        RowCell stored;
        RETURN_IF_ERROR(read_page_cell(
            *row.opened, *row_store, DataType::of(TypeId::kString), row.number, row_scratch_, stored
        ));
        // A row that was written before the table had a row store is empty here.
        if (stored.state == RowCell::State::kValue && stored.size_bytes > 0) {
            stored_row_ = {stored.data, stored.size_bytes};
            RETURN_IF_ERROR(
                columns.cells_.read(stored_row_, cells_.data()).with_context("{}", segment.path())
            );
        }
    }
    scratch_.resize(std::max(scratch_.size(), columns.columns_.size()));
    is_whole_ = !stored_row_.empty();
    for (size_t i = 0; i < columns.columns_.size(); ++i) {
        if (!is_known(cells_[i])) {
            is_whole_ = false;
            RETURN_IF_ERROR(read_cell(row, columns.columns_[i], i));
        }
    }
    return {};
}

Status PointReader::read_cell(
    const PointView::Row& row, const PointColumns::Column& column, size_t i
) {
    if (column.is_version) {
        if (const auto version = row.place->segment->version()) {
            std::memcpy(scratch_[i].bytes, &*version, sizeof(*version));
            cells_[i] = {scratch_[i].bytes, sizeof(*version), RowCell::State::kValue};
            return {};
        }
    }
    if (!row.opened->segment->has_column(column.unique_id)) {
        cells_[i] = {.state = RowCell::State::kAbsent};
        return {};
    }
    return read_page_cell(
        *row.opened, column.unique_id, column.type, row.number, scratch_[i], cells_[i]
    );
}

Status PointReader::read_page_cell(
    const PointSegment::Opened& opened,
    int32_t unique_id,
    const DataType& type,
    uint32_t row,
    Scratch& scratch,
    RowCell& cell
) {
    ASSIGN_OR_RETURN(auto pages, opened.segment->column(unique_id));
    if (pages->type.physical() != type.physical()) {
        return Status::error(
            ErrorCode::kNotSupported,
            "Column of unique id {} was written as {} and cannot be read as {}",
            unique_id,
            pages->type.to_string(),
            type.to_string()
        );
    }
    PageReadCounts counts;
    const uint32_t number = pages->page_of(row);
    ASSIGN_OR_RETURN(auto page, opened.segment->read_page(*pages, number, counts));
    const uint32_t position = row - pages->first_rows[number];
    if (!validity::is_valid(page->valid_words(), position)) {
        cell = {.state = RowCell::State::kNull};
        return {};
    }
    const uint16_t first = 0;
    page->decoder().gather(position, &first, 1, scratch.bytes);
    if (type.physical() != PhysicalType::kString) {
        const auto width = static_cast<uint32_t>(physical_size(type.physical()));
        cell = {scratch.bytes, width, RowCell::State::kValue};
        return {};
    }
    if (page->holds_codes()) {
        uint32_t code = 0;
        std::memcpy(&code, scratch.bytes, sizeof(code));
        cell = cell_of(*pages->dictionary, code);
        held_.push_back(std::move(pages));
        return {};
    }
    const auto* text = reinterpret_cast<const StringRef*>(scratch.bytes);
    cell = {text->data(), text->size(), RowCell::State::kValue};
    held_.push_back(std::move(page));
    return {};
}

void PointReader::fill_in_missing(const PointColumns& columns) {
    for (size_t i = 0; i < columns.size(); ++i) {
        if (cells_[i].state == RowCell::State::kAbsent) {
            cells_[i] = columns.columns_[i].missing;
        }
    }
}

void PointReader::release() {
    held_.clear();
    stored_row_ = {};
}

}  // namespace thetis
