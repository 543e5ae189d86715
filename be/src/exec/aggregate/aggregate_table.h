// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "exec/aggregate/aggregate_spec.h"
#include "exec/hash/group_table.h"

namespace thetis {

/// Groups and their states: of one task while rows come in, of one partition while tables are
/// merged. Not thread-safe while it changes; output() of an unchanging table may run in several
/// threads.
class AggregateTable {
public:
    AggregateTable(std::shared_ptr<const AggregateSpec> spec, EvalContext eval);
    ~AggregateTable();
    AggregateTable(const AggregateTable&) = delete;
    AggregateTable& operator=(const AggregateTable&) = delete;

    /// Adds the selected rows of a batch of the aggregation's input.
    Status add(const Batch& batch);

    /// Adds the named groups of another table with the same spec.
    Status merge(const AggregateTable& other, const uint32_t* groups, uint32_t count);

    /// Makes room for so many groups at once.
    void expect_groups(uint32_t count);

    /// Without keys: makes the one group exist even when no row came.
    void ensure_single_group();

    uint32_t num_groups() const { return static_cast<uint32_t>(states_.size()); }

    int64_t rows_added() const { return rows_added_; }

    /// Key columns and results (or states) of groups [begin, begin + count).
    Result<Batch> output(uint32_t begin, uint32_t count) const;

    /// Group numbers ordered by the top `bits` bits of their hash; `begins` gets 2^bits + 1
    /// positions.
    void partition(int bits, std::vector<uint32_t>& groups, std::vector<uint32_t>& begins) const;

    /// Drops all groups.
    void clear();

    /// One state row per input row, without looking for equal keys: what a partial aggregation
    /// passes on when grouping does not shrink its input.
    static Result<Batch> pass_through(
        const AggregateSpec& spec, const Batch& batch, EvalContext& eval
    );

private:
    struct CodeMap;

    Status find_groups(const std::vector<ColumnPtr>& keys, const Batch& batch);
    bool find_groups_by_code(const std::vector<ColumnPtr>& keys, const Batch& batch);
    Status update_calls(const Batch& batch);
    bool split_rows_by_group(const Batch& batch);
    Status update_by_group(const AggregateSpec::Call& call, std::span<const ColumnPtr> arguments);
    Status update_distinct(
        const AggregateSpec::Call& call,
        size_t index,
        const Batch& batch,
        const std::vector<ColumnPtr>& arguments
    );
    void create_states(uint32_t num_groups);
    void point_at_groups(uint32_t count);
    void destroy_states();
    void count_heap_bytes(uint32_t num_rows);

    const std::shared_ptr<const AggregateSpec> spec_;
    EvalContext eval_;
    std::unique_ptr<GroupTable> groups_;
    std::unique_ptr<KeyRows> key_rows_;
    Arena arena_;
    TrackedVector<char*> states_;
    std::vector<uint32_t> group_of_row_;
    std::vector<char*> state_of_row_;
    std::vector<Selection> rows_of_group_;  // Of the batch at hand, while groups are few.
    std::unique_ptr<CodeMap> codes_;
    int64_t rows_added_ = 0;
    std::shared_ptr<MemoryTracker> memory_ = MemoryScope::current();
    int64_t counted_heap_bytes_ = 0;
    uint64_t rows_since_count_ = 0;

    /// Values of a DISTINCT call seen so far: keys are (group number, arguments).
    struct DistinctValues {
        std::unique_ptr<KeyLayout> layout;
        std::unique_ptr<GroupTable> table;
        std::unique_ptr<KeyRows> rows;
        std::vector<DataType> argument_types;
    };

    std::vector<DistinctValues> distinct_;
};

}  // namespace thetis
