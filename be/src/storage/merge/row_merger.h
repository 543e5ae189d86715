// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/status.h"
#include "storage/merge/merge_run.h"
#include "storage/segment/segment_iterator.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// Puts the rows of sorted segments into one key order. Only key columns (and the sequence) are
/// read; what comes out are row numbers, with which MergedColumns reads the other columns, all at
/// once or a group of columns at a time. Rows that the runs' sources call deleted take no part.
///
/// Runs are given from the oldest to the newest: by version, inside a rowset by segment id. A
/// segment of an AGGREGATE or UNIQUE table holds each key at most once. Not thread-safe.
class RowMerger {
public:
    /// `schema`'s key columns give the order. `scan` may carry predicates on key columns and
    /// switches; its output is not looked at. kLatest uses the schema's sequence column.
    static Result<std::unique_ptr<RowMerger>> open(
        const TabletSchema& schema,
        const SegmentScan& scan,
        std::vector<MergeRun> runs,
        MergeKind kind
    );
    virtual ~RowMerger() = default;

    /// The next stretch of at least one row and about `max_rows`, more when a group ends later;
    /// false at the end.
    virtual Result<bool> next(uint32_t max_rows, MergedRows& rows) = 0;

    /// Of reading the keys. rows_merged counts rows that kLatest left out.
    virtual ScanStatistics statistics() = 0;
};

}  // namespace thetis
