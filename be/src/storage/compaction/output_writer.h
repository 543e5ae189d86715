// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "storage/compaction/compaction.h"
#include "storage/merge/merge_run.h"
#include "storage/segment/segment_iterator.h"
#include "storage/segment/segment_writer.h"

namespace thetis {

/// Writes the segments of a compaction, each from a list of merged rows, and removes its files
/// unless told to keep them. Not thread-safe.
class OutputWriter {
public:
    /// `task` and `runs` outlive this.
    OutputWriter(
        const CompactionTask& task,
        std::shared_ptr<const SegmentScan> scan,
        const std::vector<MergeRun>& runs
    )
        : task_(task), scan_(std::move(scan)), runs_(runs) {}

    ~OutputWriter();
    OutputWriter(const OutputWriter&) = delete;
    OutputWriter& operator=(const OutputWriter&) = delete;

    /// One segment with the rows of these stretches.
    Status write(const std::vector<MergedRows>& stretches);

    /// Makes what was written durable in its directory.
    Result<std::vector<SegmentFile>> finish();

    void keep_files() { keeps_files_ = true; }

private:
    std::string path_of(uint32_t segment_id) const;
    Status write_columns(
        SegmentWriter& writer,
        const std::vector<MergedRows>& stretches,
        size_t first_column,
        size_t num_columns
    );

    const CompactionTask& task_;
    const std::shared_ptr<const SegmentScan> scan_;
    const std::vector<MergeRun>& runs_;
    std::vector<SegmentFile> segments_;
    uint32_t next_segment_ = 0;
    bool keeps_files_ = false;
};

}  // namespace thetis
