// SPDX-License-Identifier: Apache-2.0
#include "storage/memtable/memtable.h"

#include "storage/memtable/group_aggregate.h"
#include "storage/memtable/row_groups.h"
#include "storage/memtable/row_sort.h"

namespace thetis {

Memtable::Memtable(std::shared_ptr<const WriteLayout> layout) : layout_(std::move(layout)) {
    for (const size_t position : layout_->input()) {
        builders_.emplace_back(layout_->schema()->columns()[position].type);
    }
}

Memtable::Memtable(TabletSchemaPtr schema) : Memtable(WriteLayout::for_all(std::move(schema))) {}

Status Memtable::check(const Batch& batch) const {
    if (batch.columns.size() != builders_.size()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "A load of {} columns cannot take {}",
            builders_.size(),
            batch.columns.size()
        );
    }
    for (size_t i = 0; i < batch.columns.size(); ++i) {
        if (batch.columns[i]->physical() != column(i).type.physical()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "Column {} takes {}, not {}",
                column(i).name,
                column(i).type.to_string(),
                batch.columns[i]->type().to_string()
            );
        }
    }
    return {};
}

Status Memtable::append(const Batch& batch, std::span<const uint16_t> rows) {
    RETURN_IF_ERROR(check(batch));
    const auto count = static_cast<uint32_t>(rows.size());
    for (size_t i = 0; i < builders_.size(); ++i) {
        if (!column(i).type.nullable && batch.columns[i]->may_have_nulls()) {
            for (const uint16_t row : rows) {
                if (batch.columns[i]->is_null(row)) {
                    return Status::error(
                        ErrorCode::kInvalidArgument,
                        "NULL in column {}, which is NOT NULL",
                        column(i).name
                    );
                }
            }
        }
    }
    for (size_t i = 0; i < builders_.size(); ++i) {
        builders_[i].append_from(*batch.columns[i], rows.data(), count);
    }
    num_rows_ += count;
    return {};
}

size_t Memtable::memory_bytes() const {
    size_t total = 0;
    for (const ColumnBuilder& builder : builders_) {
        total += builder.memory_bytes();
    }
    return total;
}

std::vector<uint32_t> Memtable::winners(
    std::span<const uint32_t> groups,
    std::span<const uint32_t> order,
    std::span<const ColumnPtr> columns
) const {
    const TabletSchema& schema = *layout_->schema();
    if (schema.sequence_id().has_value()) {
        for (size_t i = 0; i < columns.size(); ++i) {
            if (column(i).unique_id == *schema.sequence_id()) {
                return largest_of_groups(groups, order, *columns[i]);
            }
        }
    }
    return last_of_groups(groups, order);
}

Result<SortedRows> Memtable::take_sorted() {
    const TabletSchema& schema = *layout_->schema();
    const size_t num_keys = schema.num_key_columns();
    std::vector<ColumnPtr> columns;
    std::vector<ColumnPtr> keys(num_keys);
    for (size_t i = 0; i < builders_.size(); ++i) {
        columns.push_back(builders_[i].finish());
        if (layout_->input()[i] < num_keys) {
            keys[layout_->input()[i]] = columns.back();
        }
    }
    const uint32_t num_rows = std::exchange(num_rows_, 0);
    std::vector<uint32_t> order = sort_rows(keys, num_rows);
    std::vector<uint32_t> groups;
    if (schema.keys_model() != KeysModel::kDuplicate) {
        groups = find_groups(keys, order, num_rows);
    }
    if (groups.size() <= 1 || groups.size() == size_t{num_rows} + 1) {
        SortedRows rows(layout_, num_rows, std::move(order));
        for (size_t i = 0; i < columns.size(); ++i) {
            rows.set_arrived(layout_->input()[i], std::move(columns[i]));
        }
        return rows;
    }
    const auto num_groups = static_cast<uint32_t>(groups.size() - 1);
    SortedRows rows(layout_, num_groups, winners(groups, order, columns));
    for (size_t i = 0; i < columns.size(); ++i) {
        const size_t position = layout_->input()[i];
        if (schema.keys_model() == KeysModel::kUnique || position < num_keys) {
            rows.set_arrived(position, std::move(columns[i]));
            continue;
        }
        ASSIGN_OR_RETURN(const auto how, parse_value_aggregation(column(i).aggregation));
        rows.set_ordered(position, aggregate_groups(columns[i], how, groups, order));
        columns[i] = nullptr;
    }
    return rows;
}

Result<SegmentFile> Memtable::flush(const FileSystem& fs, const std::string& path, bool sync) {
    ASSIGN_OR_RETURN(SortedRows rows, take_sorted());
    RETURN_IF_ERROR(rows.complete());
    return rows.write(fs, path, sync);
}

}  // namespace thetis
