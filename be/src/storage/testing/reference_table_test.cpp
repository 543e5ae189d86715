// SPDX-License-Identifier: Apache-2.0
#include "storage/testing/reference_table.h"

#include <algorithm>

namespace thetis {

void append_cell(const Cell& cell, const DataType& type, ColumnBuilder& builder) {
    if (!cell.has_value()) {
        builder.append_null();
    } else if (const auto* text = std::get_if<std::string>(&*cell)) {
        builder.append_string(*text);
    } else if (type.physical() == PhysicalType::kInt8) {
        builder.append<int8_t>(static_cast<int8_t>(std::get<int64_t>(*cell)));
    } else {
        builder.append<int64_t>(std::get<int64_t>(*cell));
    }
}

Cell ReferenceTable::value_of(const Row& row, const SchemaColumn& column) const {
    const auto found = row.find(column.unique_id);
    if (found != row.end()) {
        return found->second;
    }
    if (column.default_value != nullptr) {
        return static_cast<int64_t>(Scalar::from_column(*column.default_value, 0).as_integer());
    }
    return column.type.nullable ? Cell() : Cell(int64_t{0});
}

ReferenceTable::Key ReferenceTable::key_of(const TabletSchema& schema, const Row& row) {
    Key key;
    for (const SchemaColumn& column : schema.columns()) {
        if (column.is_key) {
            key.push_back(row.at(column.unique_id));
        }
    }
    return key;
}

void ReferenceTable::join(Row& present, const Row& row) const {
    for (const SchemaColumn& column : schema_->columns()) {
        if (column.is_key) {
            continue;
        }
        const Cell before = value_of(present, column);
        const Cell next = value_of(row, column);
        Cell& result = present[column.unique_id];
        if (column.aggregation == "REPLACE") {
            result = next;
        } else if (!next.has_value() || !before.has_value()) {
            result = next.has_value() ? next : before;
        } else if (column.aggregation == "SUM") {
            result = std::get<int64_t>(*before) + std::get<int64_t>(*next);
        } else if (column.aggregation == "MAX") {
            result = std::max(before, next);
        } else if (column.aggregation == "MIN") {
            result = std::min(before, next);
        } else {
            result = next;
        }
    }
}

void ReferenceTable::apply_row(const TableChange& change, Row row) {
    if (schema_->keys_model() == KeysModel::kDuplicate) {
        all_.push_back(std::move(row));
        return;
    }
    const Key key = key_of(*schema_, row);
    const auto present = by_key_.find(key);
    if (present == by_key_.end()) {
        by_key_.emplace(key, std::move(row));
        return;
    }
    if (schema_->keys_model() == KeysModel::kAggregate) {
        join(present->second, row);
        return;
    }
    if (change.is_partial) {
        const auto sign = present->second.find(kDeleteSign);
        const bool is_deleted = sign != present->second.end() && sign->second == Cell(int64_t{1});
        for (const auto& [unique_id, cell] : present->second) {
            if (!is_deleted) {
                row.emplace(unique_id, cell);
            }
        }
    }
    if (schema_->sequence_id().has_value() && row[kSequence] < present->second[kSequence]) {
        return;
    }
    present->second = std::move(row);
}

void ReferenceTable::apply(const TableChange& change) {
    if (change.delete_below.has_value()) {
        const Cell bound(*change.delete_below);
        std::erase_if(all_, [&](const Row& row) { return row.at(0) < bound; });
        std::erase_if(by_key_, [&](const auto& entry) { return entry.second.at(0) < bound; });
        return;
    }
    for (const std::vector<Cell>& cells : change.rows) {
        Row row;
        for (size_t i = 0; i < cells.size(); ++i) {
            row[change.column_ids[i]] = cells[i];
        }
        apply_row(change, std::move(row));
    }
}

std::vector<std::string> ReferenceTable::rows() const {
    std::vector<std::string> result;
    const auto add = [&](const Row& row) {
        std::string text;
        for (const SchemaColumn& column : schema_->columns()) {
            if (column.unique_id == kVersion || column.unique_id == kRowStore) {
                continue;
            }
            const Cell cell = value_of(row, column);
            if (column.unique_id == kDeleteSign && cell == Cell(int64_t{1})) {
                return;
            }
            if (!cell.has_value()) {
                text += "NULL|";
            } else if (const auto* value = std::get_if<std::string>(&*cell)) {
                text += *value + "|";
            } else {
                text += std::to_string(std::get<int64_t>(*cell)) + "|";
            }
        }
        result.push_back(std::move(text));
    };
    for (const Row& row : all_) {
        add(row);
    }
    for (const auto& [key, row] : by_key_) {
        add(row);
    }
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace thetis
