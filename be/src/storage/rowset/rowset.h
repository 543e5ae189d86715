// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/thread/mutex.h"
#include "io/cache/page_cache.h"
#include "io/fs/file_system.h"
#include "storage/predicate/delete_filter.h"
#include "storage/rowset/delete_bitmap.h"
#include "storage/rowset/rowset_meta.h"
#include "storage/rowset/segment_cache.h"
#include "storage/segment/segment.h"

namespace thetis {

/// An immutable set of segments with a version range. Opens its files when they are asked for and
/// keeps them open as long as the segment cache lets it. Thread-safe; shared by the tablet and by
/// the readers of it, which keep it readable after the tablet let go of it.
class Rowset final : private SegmentHolder {
public:
    /// `cache` may be null and outlives the rowset; `open_segments` may be null: then files stay
    /// open; `compile_filter` is needed for rowsets that delete. `earlier` is the rowset as it was
    /// before its metadata changed; where it has the same files, what it has open and what the page
    /// cache has of it is used on.
    Rowset(
        RowsetMeta meta,
        std::string directory,
        std::shared_ptr<const FileSystem> fs,
        PageCache* cache,
        std::shared_ptr<SegmentCache> open_segments = nullptr,
        DeleteFilterCompiler compile_filter = {},
        const Rowset* earlier = nullptr
    );
    ~Rowset();

    const RowsetMeta& meta() const { return meta_; }

    int64_t start_version() const { return meta_.start_version; }

    int64_t end_version() const { return meta_.end_version; }

    /// Opens what is not open yet. Corruption when a file does not hold the rows its metadata says.
    Result<std::vector<std::shared_ptr<const Segment>>> segments() const;

    /// Lets go of the open files; who reads them keeps them, who asks again opens them again. For
    /// rowsets that others replaced: open files are few, and many of these may wait for the sweep.
    void close_segments() const;

    /// Merge-on-write: the rows that later versions replaced. The one thing that changes in a
    /// rowset, and only for versions that nobody reads yet.
    DeleteBitmap& delete_bitmap() const { return delete_bitmap_; }

    /// What this rowset deletes from those of lower versions; null when it does not. Compiled on
    /// first use.
    Result<DeleteFilterPtr> delete_filter() const;

    /// Deletes the files; for rowsets that no metadata names any more. Open segments stay readable.
    Status remove_files() const;

private:
    using Segments = std::vector<std::shared_ptr<const Segment>>;

    bool has_files_of(const Rowset& other) const;
    bool was_used() const override;
    int64_t release(Released& released) const override;

    const RowsetMeta meta_;
    const std::string directory_;
    const std::shared_ptr<const FileSystem> fs_;
    PageCache* const cache_;
    const std::shared_ptr<SegmentCache> open_segments_;
    const uint64_t first_file_id_;  // Of the first segment in the page cache, others follow.
    const DeleteFilterCompiler compile_filter_;
    mutable DeleteBitmap delete_bitmap_;
    mutable Mutex mutex_;  // Guards what is made on first use; not held while files are opened.
    mutable DeleteFilterPtr delete_filter_ GUARDED_BY(mutex_);
    mutable Segments segments_ GUARDED_BY(mutex_);
    mutable std::atomic<bool> was_used_{false};  // A hint for the segment cache, so relaxed.
};

using RowsetPtr = std::shared_ptr<const Rowset>;

/// The rowsets that make up a tablet at one version, ascending. Holding it keeps them readable.
struct RowsetSnapshot {
    int64_t version = 0;
    std::vector<RowsetPtr> rowsets;

    /// Rows of the segment (SegmentFile::id) that are replaced at this version; null: none.
    RowBitmapPtr delete_bitmap(const Rowset& rowset, uint32_t segment_id) const {
        return rowset.delete_bitmap().at(segment_id, version);
    }
};

}  // namespace thetis
