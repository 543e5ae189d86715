// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "column/batch.h"
#include "storage/merge/merge_run.h"
#include "storage/predicate/column_predicate.h"
#include "storage/segment/scan_statistics.h"
#include "storage/tablet_schema.h"

namespace thetis {

struct RowsetSnapshot;
struct SegmentScan;
class MergeReader;
class SegmentIterator;
class Tablet;

/// What a scan of one tablet wants.
struct ReadOptions {
    /// Output columns in order; may be empty (then batches only carry num_rows).
    std::vector<int32_t> column_unique_ids{};
    /// The schema the reader thinks in: columns it has and older segments lack are filled with
    /// their default. Null: the tablet's own.
    TabletSchemaPtr schema{};
    /// All are applied exactly; their columns need not be in the output.
    std::vector<ColumnPredicate> predicates{};
    /// May be null. Looked at between batches.
    std::shared_ptr<const RuntimePredicates> runtime_predicates{};
    uint32_t batch_rows = kMaxBatchRows;  ///< At most kMaxBatchRows.
    uint32_t split_rows = 128 * 1024;     ///< Rows of one split, about.
    /// AGGREGATE and merge-on-read UNIQUE: rows of one key may come apart.
    bool skip_merge = false;
    bool skip_delete_bitmap = false;     ///< Merge-on-write: also rows that were replaced.
    bool skip_delete_predicate = false;  ///< Also rows that a DELETE took.
    // Switches; results are the same without, only slower.
    bool use_zone_maps = true;
    bool use_short_key = true;
    bool use_bloom_filters = true;
    bool use_dictionary_predicates = true;
    bool use_late_materialization = true;
    bool use_page_cache = true;
};

/// A piece of work of a scan: rows of one segment, or a range of keys of all of them. Cheap to
/// hold; any thread may read it.
struct ScanSplit {
    SegmentSource source{};  ///< Of a piece of one segment; else null.
    uint32_t first_row = 0;
    uint32_t num_rows = 0;
    /// Merged: short keys in [low, high); empty: without that bound.
    std::string low{};
    std::string high{};
};

/// Reads one split. For one thread at a time; independent of its TabletReader's life.
class SplitReader {
public:
    SplitReader(std::shared_ptr<const Tablet> tablet, std::unique_ptr<SegmentIterator> rows);
    SplitReader(std::shared_ptr<const Tablet> tablet, std::unique_ptr<MergeReader> merged);
    ~SplitReader();

    /// Gives the next batch with at least one selected row; false at the end. Columns are in output
    /// order, each flat, constant (missing in old segments) or dictionary; a selection is set when
    /// most of the batch passed, otherwise the batch is dense already. The tablet remembers that it
    /// is damaged when what is stored turns out to be corrupt.
    Result<bool> next(Batch& batch);

    const ScanStatistics& statistics() const;

private:
    const std::shared_ptr<const Tablet> tablet_;
    std::unique_ptr<SegmentIterator> rows_;  // One of the two is set; none: there are no rows.
    std::unique_ptr<MergeReader> merged_;
    ScanStatistics nothing_;
};

/// A consistent read of one tablet at one version. Holds its rowsets alive, so compaction and drops
/// do not disturb it. Immutable after open, shared by the threads of a scan. Rows come in no
/// promised order. AGGREGATE and merge-on-read UNIQUE: one row per key, whatever it was written as.
class TabletReader {
public:
    /// missing_version when the tablet does not have every version up to `version`; not_found for
    /// an unknown column id.
    static Result<std::shared_ptr<const TabletReader>> open(
        std::shared_ptr<const Tablet> tablet, int64_t version, ReadOptions options
    );

    /// What is left to read after pruning whole segments and by short key.
    const std::vector<ScanSplit>& splits() const { return splits_; }

    /// Opens one of this reader's splits.
    Result<std::unique_ptr<SplitReader>> read(const ScanSplit& split) const;

    /// Rows of the tablet at this version, without predicates: the answer of a bare count(*), no
    /// page is touched. Absent when only reading tells: rows to be merged, or taken by a DELETE.
    std::optional<int64_t> num_rows() const { return num_rows_; }

    /// Of output columns, in order.
    const std::vector<DataType>& output_types() const { return output_types_; }

    /// What pruning at open did.
    const ScanStatistics& statistics() const { return statistics_; }

    /// Use open().
    TabletReader() = default;

private:
    Status prepare(const ReadOptions& options);
    Status plan(const ReadOptions& options);
    Result<bool> is_pruned(const SegmentSource& source, bool keys_only);
    Result<RowRange> find_rows(const SegmentSource& source, bool use_short_key);
    void plan_rows(const SegmentSource& source, RowRange rows, uint32_t split_rows);
    Status plan_merge(uint32_t split_rows);
    Result<std::vector<MergeRun>> runs_of(const ScanSplit& split) const;
    Result<std::unique_ptr<SplitReader>> open_split(const ScanSplit& split) const;

    std::shared_ptr<const Tablet> tablet_;
    TabletSchemaPtr schema_;
    std::shared_ptr<const SegmentScan> scan_;
    std::shared_ptr<const RowsetSnapshot> snapshot_;
    std::vector<MergeRun> runs_;  // Of a merge, by age.
    std::vector<ScanSplit> splits_;
    std::vector<DataType> output_types_;
    std::optional<int64_t> num_rows_;
    ScanStatistics statistics_;
};

}  // namespace thetis
