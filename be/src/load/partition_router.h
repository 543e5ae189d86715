// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "column/batch.h"
#include "column/scalar.h"

namespace thetis::wire {
class TablePartitionsDesc;
}  // namespace thetis::wire

namespace thetis {

/// A tablet rows may go to: one bucket of one partition.
struct RoutedTablet {
    int64_t tablet_id = 0;
    int64_t partition_id = 0;
    std::vector<int64_t> backend_ids;
};

/// Finds the tablet of each row: partition by range or list, bucket by hash or at random. Immutable
/// after make(); thread-safe.
class PartitionRouter {
public:
    static constexpr uint32_t kNoTablet = UINT32_MAX;

    /// `column_types` are those of the batches that will be routed; `fixed_turn` sends all rows of
    /// a randomly distributed partition to one bucket.
    static Result<std::unique_ptr<PartitionRouter>> make(
        const wire::TablePartitionsDesc& partitions,
        const std::vector<DataType>& column_types,
        std::optional<uint32_t> fixed_turn
    );

    const std::vector<RoutedTablet>& tablets() const { return tablets_; }

    /// Index into tablets() per row of the batch (also of rows not selected); kNoTablet when no
    /// partition takes the row. `turn` spreads batches of randomly distributed tables.
    void route(const Batch& batch, uint32_t turn, std::vector<uint32_t>& tablet_of_row) const;

    /// The partition columns of one row, for the message about a row without a partition.
    std::string describe_row(const Batch& batch, uint32_t row) const;

private:
    struct Partition {
        uint32_t first_tablet = 0;
        uint32_t num_buckets = 0;
        std::vector<Scalar> lower;  ///< RANGE: inclusive; empty: none.
        std::vector<Scalar> upper;  ///< RANGE: exclusive; empty: none.
    };

    Status add_partitions(
        const wire::TablePartitionsDesc& partitions, const std::vector<DataType>& key_types
    );
    void find_partitions(const Batch& batch, std::vector<uint32_t>& partition_of_row) const;
    template <typename T>
    void find_ranges(
        const Column& column, uint32_t num_rows, std::vector<uint32_t>& partition_of_row
    ) const;
    void find_ranges_by_scalar(const Batch& batch, std::vector<uint32_t>& partition_of_row) const;
    void find_lists(const Batch& batch, std::vector<uint32_t>& partition_of_row) const;
    uint32_t find_range(std::span<const Scalar> key) const;
    bool is_in_range(const Partition& partition, std::span<const Scalar> key) const;

    enum class Kind : uint8_t { kUnpartitioned, kRange, kList };

    Kind kind_ = Kind::kUnpartitioned;
    std::vector<int> partition_columns_;
    std::vector<int> distribution_columns_;
    std::vector<Partition> partitions_;  // RANGE: ascending.
    std::vector<RoutedTablet> tablets_;
    std::unordered_map<std::string, uint32_t> partition_of_key_;  // LIST: encoded key values.
    std::optional<uint32_t> fixed_turn_;
};

}  // namespace thetis
