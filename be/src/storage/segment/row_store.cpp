// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/row_store.h"

#include <algorithm>
#include <cstring>

#include "storage/segment/row_entry.h"

namespace thetis {

using row_entry::append_number;
using row_entry::Entry;
using row_entry::head_of;
using row_entry::kFormat;
using row_entry::kind_of;
using row_entry::number_bytes;
using row_entry::read_entry;
using row_entry::read_number;
using row_entry::ValueKind;

namespace {

/// Adds the bytes that each row's entry of the column takes.
void measure(int32_t unique_id, const Column& column, std::vector<size_t>& sizes) {
    const size_t head = number_bytes(head_of(unique_id, ValueKind::kText));
    visit_physical(column.physical(), [&]<typename T>(T) {
        const ColumnView<T> view(column);
        for (uint32_t row = 0; row < sizes.size(); ++row) {
            if constexpr (std::is_same_v<T, StringRef>) {
                const size_t text = view.is_valid(row) ? view[row].size() : 0;
                sizes[row] += head + (view.is_valid(row) ? number_bytes(text) + text : 0);
            } else {
                sizes[row] += head + (view.is_valid(row) ? sizeof(T) : 0);
            }
        }
    });
}

void append_entries(int32_t unique_id, const Column& column, std::vector<char*>& outs) {
    visit_physical(column.physical(), [&]<typename T>(T) {
        const ColumnView<T> view(column);
        const uint64_t head = head_of(unique_id, kind_of(column.physical()));
        for (uint32_t row = 0; row < outs.size(); ++row) {
            char*& out = outs[row];
            if (!view.is_valid(row)) {
                out = append_number(out, head_of(unique_id, ValueKind::kNull));
                continue;
            }
            out = append_number(out, head);
            if constexpr (std::is_same_v<T, StringRef>) {
                const std::string_view text = view[row].view();
                out = append_number(out, text.size());
                std::memcpy(out, text.data(), text.size());
                out += text.size();
            } else {
                std::memcpy(out, &view[row], sizeof(T));
                out += sizeof(T);
            }
        }
    });
}

Status append_value(const Entry& entry, ColumnBuilder& builder) {
    if (entry.kind == ValueKind::kNull) {
        builder.append_null();
        return {};
    }
    if (entry.kind != kind_of(builder.type().physical())) {
        return Status::error(
            ErrorCode::kCorruption,
            "A stored row holds column {} as kind {}, not as {}",
            entry.unique_id,
            static_cast<uint32_t>(entry.kind),
            builder.type().to_string()
        );
    }
    visit_physical(builder.type().physical(), [&]<typename T>(T) {
        if constexpr (std::is_same_v<T, StringRef>) {
            builder.append_string({entry.value, entry.size_bytes});
        } else {
            T value;
            std::memcpy(&value, entry.value, sizeof(value));
            builder.append<T>(value);
        }
    });
    return {};
}

Status decode_row(
    std::string_view bytes,
    std::span<const RowStoreColumn> columns,
    std::span<const size_t> by_id,
    std::vector<ColumnBuilder>& builders
) {
    const char* at = bytes.data();
    const char* end = at + bytes.size();
    uint64_t left = 0;
    at = bytes.empty() || bytes.front() != kFormat ? nullptr : read_number(at + 1, end, left);
    size_t next = 0;
    const auto append_missing = [&](const RowStoreColumn& column, ColumnBuilder& builder) {
        if (column.missing_value != nullptr) {
            builder.append_from(*column.missing_value, uint32_t{0}, 1);
        } else {
            builder.append_null();
        }
    };
    for (; at != nullptr && left > 0; --left) {
        Entry entry;
        at = read_entry(at, end, entry);
        while (at != nullptr && next < by_id.size() &&
               columns[by_id[next]].unique_id < entry.unique_id) {
            append_missing(columns[by_id[next]], builders[by_id[next]]);
            ++next;
        }
        if (at != nullptr && next < by_id.size() &&
            columns[by_id[next]].unique_id == entry.unique_id) {
            RETURN_IF_ERROR(append_value(entry, builders[by_id[next]]));
            ++next;
        }
    }
    if (at == nullptr || at != end) {
        return Status::error(
            ErrorCode::kCorruption, "A stored row of {} bytes cannot be read", bytes.size()
        );
    }
    for (; next < by_id.size(); ++next) {
        append_missing(columns[by_id[next]], builders[by_id[next]]);
    }
    return {};
}

}  // namespace

std::vector<int32_t> row_store_columns(const TabletSchema& schema) {
    std::vector<int32_t> ids;
    if (!schema.row_store_id().has_value()) {
        return ids;
    }
    ids = schema.row_store_column_ids();
    for (const SchemaColumn& column : schema.columns()) {
        // Of hidden ones a look-up needs the delete sign.
        const bool is_wanted =
            schema.row_store_column_ids().empty() ? !column.is_hidden : column.is_key;
        if (is_wanted || column.unique_id == schema.delete_sign_id()) {
            ids.push_back(column.unique_id);
        }
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::erase_if(ids, [&](int32_t id) {
        return id == schema.row_store_id() || !schema.find_column(id).has_value();
    });
    return ids;
}

void encode_row_store(
    std::span<const int32_t> unique_ids, std::span<const ColumnPtr> columns, ColumnBuilder& rows
) {
    const uint32_t num_rows = columns.empty() ? 0 : columns[0]->size();
    std::vector<size_t> sizes(num_rows, 1 + number_bytes(columns.size()));
    for (size_t i = 0; i < columns.size(); ++i) {
        measure(unique_ids[i], *columns[i], sizes);
    }
    size_t total = 0;
    for (const size_t size : sizes) {
        total += size;
    }
    // One payload for all rows: values of a column are written together.
    const std::shared_ptr<Buffer> payload = Buffer::allocate(total);
    std::vector<char*> outs(num_rows);
    std::vector<const char*> begins(num_rows);
    char* out = payload->as<char>();
    for (uint32_t row = 0; row < num_rows; ++row) {
        begins[row] = out;
        outs[row] = out;
        *outs[row]++ = static_cast<char>(kFormat);
        outs[row] = append_number(outs[row], columns.size());
        out += sizes[row];
    }
    for (size_t i = 0; i < columns.size(); ++i) {
        append_entries(unique_ids[i], *columns[i], outs);
    }
    for (uint32_t row = 0; row < num_rows; ++row) {
        rows.append_reference(StringRef(begins[row], static_cast<uint32_t>(outs[row] - begins[row]))
        );
    }
    rows.keep_alive(payload);
}

Result<std::vector<ColumnPtr>> decode_row_store(
    const Column& rows, std::span<const RowStoreColumn> columns
) {
    std::vector<size_t> by_id(columns.size());
    for (size_t i = 0; i < by_id.size(); ++i) {
        by_id[i] = i;
    }
    std::sort(by_id.begin(), by_id.end(), [&](size_t left, size_t right) {
        return columns[left].unique_id < columns[right].unique_id;
    });
    std::vector<ColumnBuilder> builders;
    for (const RowStoreColumn& column : columns) {
        builders.emplace_back(column.type, rows.size());
    }
    const ColumnView<StringRef> view(rows);
    for (uint32_t row = 0; row < rows.size(); ++row) {
        RETURN_IF_ERROR(decode_row(view[row].view(), columns, by_id, builders));
    }
    std::vector<ColumnPtr> result;
    for (ColumnBuilder& builder : builders) {
        result.push_back(builder.finish());
    }
    return result;
}

}  // namespace thetis
