// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "storage/memtable/group_aggregate.h"
#include "storage/merge/merge_run.h"
#include "storage/segment/segment_iterator.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// Reads columns of merged rows, a stretch at a time and each column only when it is asked for:
/// one pass per group of columns makes a vertical compaction. For kAggregate the values of a group
/// come out as one. Not thread-safe.
class MergedColumns {
public:
    /// `runs` as given to the RowMerger; `scan` for its switches and version column.
    MergedColumns(const SegmentScan& scan, std::vector<MergeRun> runs);

    /// Adds a column and gives its number. `aggregation` as in the schema; only groups use it.
    Result<size_t> add(const ScanColumn& column, std::string_view aggregation);

    /// Goes to the next stretch, which outlives its use here. Stretches follow each other in the
    /// order of the merge.
    void start(const MergedRows& rows);

    /// Output rows [first, first + num_rows) of the stretch: groups, or rows.
    Result<ColumnPtr> read(size_t column, uint32_t first, uint32_t num_rows);
    /// Output rows first + positions[i].
    Result<ColumnPtr> read(size_t column, uint32_t first, const Selection& positions);

    PageReadCounts counts() const;

private:
    struct Entry {
        ScanColumn column;
        ValueAggregation aggregation{};
        std::vector<std::unique_ptr<ColumnReader>> readers;  // By run; opened when first needed.
        ColumnPtr values;  // Of the stretch, run after run; null until asked for. Flat where
                           // groups of them are looked at and not just taken.
    };

    Status load(Entry& entry);
    Status read_run(Entry& entry, uint32_t run, std::vector<ColumnPtr>& parts);
    ColumnPtr pick(const Entry& entry, std::span<const uint32_t> outputs) const;

    const std::vector<MergeRun> runs_;
    const std::optional<int32_t> version_id_;
    const bool use_page_cache_;
    std::vector<Entry> entries_;
    const MergedRows* rows_ = nullptr;
    std::vector<uint32_t> run_begins_;   // Where each run's rows stand in row_numbers_; one more.
    std::vector<uint32_t> row_numbers_;  // Of the stretch, run after run.
    std::vector<uint32_t> positions_;    // Of each merged row in row_numbers_.
};

}  // namespace thetis
