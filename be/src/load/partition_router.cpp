// SPDX-License-Identifier: Apache-2.0
#include "load/partition_router.h"

#include "column/bucket_hash.h"
#include "descriptors_types.h"
#include "expr/expression.h"

namespace thetis {

namespace {

int compare_keys(std::span<const Scalar> left, std::span<const Scalar> right) {
    for (size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
        if (int order = left[i].compare(right[i]); order != 0) {
            return order;
        }
    }
    return left.size() == right.size() ? 0 : (left.size() < right.size() ? -1 : 1);
}

/// Bytes that are equal exactly when the values are; parts are separated by their length.
void append_key(std::string& out, const Scalar& value) {
    if (value.is_null()) {
        out.push_back('\0');
        return;
    }
    std::string text = value.to_string();
    out.push_back('\1');
    out += std::to_string(text.size());
    out.push_back(':');
    out += text;
}

std::vector<Scalar> key_of_row(const Batch& batch, const std::vector<int>& columns, uint32_t row) {
    std::vector<Scalar> key;
    key.reserve(columns.size());
    for (int column : columns) {
        key.push_back(Scalar::from_column(*batch.columns[static_cast<size_t>(column)], row));
    }
    return key;
}

Result<std::vector<Scalar>> read_key(
    const wire::PartitionKey& key, const std::vector<DataType>& types
) {
    if (key.values.size() > types.size()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "partition key has {} values for {} columns",
            key.values.size(),
            types.size()
        );
    }
    std::vector<Scalar> values;
    for (size_t i = 0; i < key.values.size(); ++i) {
        ASSIGN_OR_RETURN(auto value, from_wire(key.values[i], types[i]));
        values.push_back(std::move(value));
    }
    return values;
}

}  // namespace

Result<std::unique_ptr<PartitionRouter>> PartitionRouter::make(
    const wire::TablePartitionsDesc& partitions,
    const std::vector<DataType>& column_types,
    std::optional<uint32_t> fixed_turn
) {
    auto router = std::make_unique<PartitionRouter>();
    router->kind_ =
        partitions.kind == wire::PartitionKind::RANGE
            ? Kind::kRange
            : (partitions.kind == wire::PartitionKind::LIST ? Kind::kList : Kind::kUnpartitioned);
    router->fixed_turn_ = fixed_turn;
    router->partition_columns_.assign(
        partitions.partition_columns.begin(), partitions.partition_columns.end()
    );
    router->distribution_columns_.assign(
        partitions.distribution_columns.begin(), partitions.distribution_columns.end()
    );
    for (const auto* columns : {&router->partition_columns_, &router->distribution_columns_}) {
        for (int column : *columns) {
            if (column < 0 || static_cast<size_t>(column) >= column_types.size()) {
                return Status::error(
                    ErrorCode::kInvalidArgument,
                    "partition or distribution column {} is not among the rows' columns",
                    column
                );
            }
        }
    }
    if (router->kind_ != Kind::kUnpartitioned && router->partition_columns_.empty()) {
        return Status::error(
            ErrorCode::kInvalidArgument, "a partitioned table needs partition columns"
        );
    }
    std::vector<DataType> key_types;
    for (int column : router->partition_columns_) {
        key_types.push_back(column_types[static_cast<size_t>(column)]);
    }
    RETURN_IF_ERROR(router->add_partitions(partitions, key_types));
    return router;
}

Status PartitionRouter::add_partitions(
    const wire::TablePartitionsDesc& partitions, const std::vector<DataType>& key_types
) {
    struct Entry {
        Partition partition;
        const wire::PartitionDesc* desc;
    };

    std::vector<Entry> entries;
    for (const auto& desc : partitions.partitions) {
        Entry entry{{}, &desc};
        if (desc.num_buckets <= 0 || desc.tablets.size() != static_cast<size_t>(desc.num_buckets)) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "partition {} has {} tablets for {} buckets",
                desc.name,
                desc.tablets.size(),
                desc.num_buckets
            );
        }
        entry.partition.num_buckets = static_cast<uint32_t>(desc.num_buckets);
        if (kind_ == Kind::kRange && desc.__isset.lower) {
            ASSIGN_OR_RETURN(entry.partition.lower, read_key(desc.lower, key_types));
        }
        if (kind_ == Kind::kRange && desc.__isset.upper) {
            ASSIGN_OR_RETURN(entry.partition.upper, read_key(desc.upper, key_types));
        }
        entries.push_back(std::move(entry));
    }
    if (entries.empty() && kind_ == Kind::kUnpartitioned) {
        return Status::error(
            ErrorCode::kInvalidArgument, "the table has no partition to load into"
        );
    }
    if (kind_ == Kind::kRange) {
        std::sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
            return compare_keys(left.partition.lower, right.partition.lower) < 0;
        });
    }
    for (auto& entry : entries) {
        auto index = static_cast<uint32_t>(partitions_.size());
        entry.partition.first_tablet = static_cast<uint32_t>(tablets_.size());
        for (const auto& tablet : entry.desc->tablets) {
            tablets_.push_back({tablet.tablet_id, entry.desc->partition_id, tablet.backend_ids});
        }
        if (kind_ == Kind::kList) {
            for (const auto& key : entry.desc->in_keys) {
                ASSIGN_OR_RETURN(auto values, read_key(key, key_types));
                std::string encoded;
                for (const auto& value : values) {
                    append_key(encoded, value);
                }
                partition_of_key_[encoded] = index;
            }
        }
        partitions_.push_back(std::move(entry.partition));
    }
    return {};
}

bool PartitionRouter::is_in_range(const Partition& partition, std::span<const Scalar> key) const {
    return (partition.lower.empty() || compare_keys(partition.lower, key) <= 0) &&
           (partition.upper.empty() || compare_keys(key, partition.upper) < 0);
}

uint32_t PartitionRouter::find_range(std::span<const Scalar> key) const {
    // The last partition whose lower bound is not above the key; ranges do not overlap.
    auto after = std::upper_bound(
        partitions_.begin(),
        partitions_.end(),
        key,
        [](std::span<const Scalar> wanted, const Partition& partition) {
            return !partition.lower.empty() && compare_keys(wanted, partition.lower) < 0;
        }
    );
    if (after == partitions_.begin()) {
        return kNoTablet;
    }
    const Partition& candidate = *(after - 1);
    return is_in_range(candidate, key) ? static_cast<uint32_t>(&candidate - partitions_.data())
                                       : kNoTablet;
}

template <typename T>
void PartitionRouter::find_ranges(
    const Column& column, uint32_t num_rows, std::vector<uint32_t>& partition_of_row
) const {
    ColumnView<T> view(column);
    const DataType& type = column.type();
    bool has_previous = false;
    T previous{};
    uint32_t partition = kNoTablet;
    for (uint32_t row = 0; row < num_rows; ++row) {
        if (!view.is_valid(row)) {
            Scalar null = Scalar::null(type);
            partition_of_row[row] = find_range({&null, 1});
            continue;
        }
        // Neighbours mostly share their partition value.
        if (!has_previous || !(view[row] == previous)) {
            previous = view[row];
            has_previous = true;
            Scalar key = Scalar::integer(type, previous);
            if (partition == kNoTablet || !is_in_range(partitions_[partition], {&key, 1})) {
                partition = find_range({&key, 1});
            }
        }
        partition_of_row[row] = partition;
    }
}

void PartitionRouter::find_ranges_by_scalar(
    const Batch& batch, std::vector<uint32_t>& partition_of_row
) const {
    uint32_t partition = kNoTablet;
    for (uint32_t row = 0; row < batch.num_rows; ++row) {
        auto key = key_of_row(batch, partition_columns_, row);
        if (partition == kNoTablet || !is_in_range(partitions_[partition], key)) {
            partition = find_range(key);
        }
        partition_of_row[row] = partition;
    }
}

void PartitionRouter::find_lists(const Batch& batch, std::vector<uint32_t>& partition_of_row)
    const {
    std::string encoded;
    for (uint32_t row = 0; row < batch.num_rows; ++row) {
        encoded.clear();
        for (const auto& value : key_of_row(batch, partition_columns_, row)) {
            append_key(encoded, value);
        }
        auto found = partition_of_key_.find(encoded);
        partition_of_row[row] = found == partition_of_key_.end() ? kNoTablet : found->second;
    }
}

void PartitionRouter::find_partitions(const Batch& batch, std::vector<uint32_t>& partition_of_row)
    const {
    partition_of_row.assign(batch.num_rows, 0);
    if (kind_ == Kind::kUnpartitioned) {
        return;
    }
    if (kind_ == Kind::kList) {
        find_lists(batch, partition_of_row);
        return;
    }
    const Column& first = *batch.columns[static_cast<size_t>(partition_columns_[0])];
    if (partition_columns_.size() == 1 && first.physical() == PhysicalType::kInt32) {
        find_ranges<int32_t>(first, batch.num_rows, partition_of_row);
    } else if (partition_columns_.size() == 1 && first.physical() == PhysicalType::kInt64) {
        find_ranges<int64_t>(first, batch.num_rows, partition_of_row);
    } else {
        find_ranges_by_scalar(batch, partition_of_row);
    }
}

void PartitionRouter::route(const Batch& batch, uint32_t turn, std::vector<uint32_t>& tablet_of_row)
    const {
    find_partitions(batch, tablet_of_row);
    if (distribution_columns_.empty()) {
        uint32_t bucket = fixed_turn_.value_or(turn);
        for (uint32_t& entry : tablet_of_row) {
            if (entry != kNoTablet) {
                entry = partitions_[entry].first_tablet + bucket % partitions_[entry].num_buckets;
            }
        }
        return;
    }
    if (kind_ == Kind::kUnpartitioned && partitions_[0].num_buckets == 1) {
        return;  // Everything is 0 already.
    }
    std::vector<ColumnPtr> columns;
    for (int column : distribution_columns_) {
        columns.push_back(batch.columns[static_cast<size_t>(column)]);
    }
    std::array<uint32_t, kMaxBatchRows> hashes;
    bucket_hash(columns, batch.num_rows, hashes.data());
    for (uint32_t row = 0; row < batch.num_rows; ++row) {
        uint32_t& entry = tablet_of_row[row];
        if (entry != kNoTablet) {
            const Partition& partition = partitions_[entry];
            entry = partition.first_tablet + hashes[row] % partition.num_buckets;
        }
    }
}

std::string PartitionRouter::describe_row(const Batch& batch, uint32_t row) const {
    std::string text;
    for (const auto& value : key_of_row(batch, partition_columns_, row)) {
        text += (text.empty() ? "" : ", ") + value.to_string();
    }
    return text;
}

}  // namespace thetis
