// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/row_cells.h"

#include <algorithm>
#include <cstring>

#include "storage/segment/row_entry.h"

namespace thetis {

using row_entry::Entry;
using row_entry::ValueKind;

namespace {

Status corrupt_row(std::string_view row) {
    return Status::error(
        ErrorCode::kCorruption, "A stored row of {} bytes cannot be read", row.size()
    );
}

/// The first entry; null when the bytes are no row.
const char* open_row(std::string_view row, uint64_t& num_entries) {
    if (row.empty() || row.front() != row_entry::kFormat) {
        return nullptr;
    }
    return row_entry::read_number(row.data() + 1, row.data() + row.size(), num_entries);
}

void append_entry(int32_t unique_id, ValueKind kind, std::string_view value, std::string& out) {
    char head[20];
    char* end = row_entry::append_number(head, row_entry::head_of(unique_id, kind));
    if (kind == ValueKind::kText) {
        end = row_entry::append_number(end, value.size());
    }
    out.append(head, static_cast<size_t>(end - head));
    out.append(value);
}

}  // namespace

RowCellReader::RowCellReader(std::span<const Column> columns) {
    for (size_t i = 0; i < columns.size(); ++i) {
        const ValueKind kind = row_entry::kind_of(columns[i].type.physical());
        wanted_.push_back({columns[i].unique_id, static_cast<uint32_t>(kind), i});
    }
    std::sort(wanted_.begin(), wanted_.end(), [](const Wanted& left, const Wanted& right) {
        return left.unique_id < right.unique_id;
    });
}

Status RowCellReader::read(std::string_view row, RowCell* cells) const {
    uint64_t left = 0;
    const char* const end = row.data() + row.size();
    const char* at = open_row(row, left);
    auto wanted = wanted_.begin();
    for (; at != nullptr && left > 0; --left) {
        Entry entry;
        at = row_entry::read_entry(at, end, entry);
        if (at == nullptr) {
            break;
        }
        while (wanted != wanted_.end() && wanted->unique_id < entry.unique_id) {
            cells[wanted++->position] = {};
        }
        if (wanted == wanted_.end()) {
            return {};  // Nothing of the rest is of interest.
        }
        if (wanted->unique_id != entry.unique_id) {
            continue;
        }
        RowCell& cell = cells[wanted->position];
        if (entry.kind == ValueKind::kNull) {
            cell = {.state = RowCell::State::kNull};
        } else if (entry.kind == ValueKind::kAbsent) {
            cell = {.state = RowCell::State::kAbsent};
        } else if (static_cast<uint32_t>(entry.kind) != wanted->kind) {
            return Status::error(
                ErrorCode::kCorruption,
                "A stored row holds column {} as kind {}, not as {}",
                entry.unique_id,
                static_cast<uint32_t>(entry.kind),
                wanted->kind
            );
        } else {
            cell = {
                .data = entry.value,
                .size_bytes = static_cast<uint32_t>(entry.size_bytes),
                .state = RowCell::State::kValue
            };
        }
        ++wanted;
    }
    if (at == nullptr || at != end) {
        return corrupt_row(row);
    }
    for (; wanted != wanted_.end(); ++wanted) {
        cells[wanted->position] = {};
    }
    return {};
}

std::string RowCellReader::complete(std::string_view row, const RowCell* cells) const {
    std::string entries;
    entries.reserve(row.size() + wanted_.size() * 12);
    uint64_t count = 0;
    auto wanted = wanted_.begin();
    const auto append_wanted = [&] {
        const RowCell& cell = cells[wanted->position];
        if (cell.state != RowCell::State::kUnknown) {
            const ValueKind kind = cell.state == RowCell::State::kNull ? ValueKind::kNull
                                   : cell.state == RowCell::State::kAbsent
                                       ? ValueKind::kAbsent
                                       : static_cast<ValueKind>(wanted->kind);
            const size_t size = cell.state == RowCell::State::kValue ? cell.size_bytes : 0;
            append_entry(wanted->unique_id, kind, {cell.data, size}, entries);
            ++count;
        }
        ++wanted;
    };
    uint64_t left = 0;
    const char* at = open_row(row, left);
    for (Entry entry; at != nullptr && left > 0; --left) {
        at = row_entry::read_entry(at, row.data() + row.size(), entry);
        if (at == nullptr) {
            break;
        }
        while (wanted != wanted_.end() && wanted->unique_id < entry.unique_id) {
            append_wanted();
        }
        if (wanted != wanted_.end() && wanted->unique_id == entry.unique_id) {
            ++wanted;
        }
        append_entry(entry.unique_id, entry.kind, {entry.value, entry.size_bytes}, entries);
        ++count;
    }
    while (wanted != wanted_.end()) {
        append_wanted();
    }
    char head[12];
    char* out = head;
    *out++ = static_cast<char>(row_entry::kFormat);
    out = row_entry::append_number(out, count);
    return std::string(head, static_cast<size_t>(out - head)) + entries;
}

}  // namespace thetis
