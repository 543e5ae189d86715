// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/thread/mutex.h"

class Roaring;

namespace thetis {

/// Row positions of one segment (<roaring/roaring.hh> has the type).
using RowBitmap = Roaring;
using RowBitmapPtr = std::shared_ptr<const RowBitmap>;

/// Rows to be marked as replaced, by segment id.
using SegmentMarks = std::map<uint32_t, RowBitmapPtr>;
/// What one version marks, by rowset id.
using RowsetMarks = std::map<std::string, SegmentMarks>;

/// The rows of one merge-on-write rowset that were replaced, by segment and by the version that
/// replaced them. Lives in its rowset, so whoever can read the rowset can read its marks.
/// Thread-safe; marks of a version are added before the version can be read.
class DeleteBitmap {
public:
    DeleteBitmap();
    ~DeleteBitmap();
    DeleteBitmap(const DeleteBitmap&) = delete;
    DeleteBitmap& operator=(const DeleteBitmap&) = delete;

    /// Adds to what the version marks already.
    void add(int64_t version, const SegmentMarks& marks);

    /// Rows of the segment that versions up to this one replaced; null: none. Joining the versions
    /// is done once and kept.
    RowBitmapPtr at(uint32_t segment_id, int64_t version) const;

    /// How many rows of all segments are replaced at this version.
    int64_t num_rows(int64_t version) const;

    /// Marks of versions in (after, up_to], by version.
    std::map<int64_t, SegmentMarks> between(int64_t after, int64_t up_to) const;

    /// All versions that mark something, ascending.
    std::vector<int64_t> versions() const;

    /// Makes the marks of versions in [first, last] ones of `last`: readers of versions in between
    /// are gone. Gives the marks `last` has then, and whether anything changed.
    bool join_versions(int64_t first, int64_t last, SegmentMarks& joined);

private:
    struct Segment {
        std::map<int64_t, RowBitmapPtr> by_version;
        // Joined marks up to a few versions that were asked for last: readers follow the newest
        // version closely, and each starts from what the one before it made.
        std::map<int64_t, RowBitmapPtr> joined;
    };

    static RowBitmapPtr join(Segment& segment, int64_t version);

    mutable Mutex mutex_;  // Guards segments_; innermost.
    mutable std::map<uint32_t, Segment> segments_ GUARDED_BY(mutex_);
};

/// The union; either may be null.
RowBitmapPtr join_marks(const RowBitmapPtr& left, const RowBitmapPtr& right);
void add_marks(SegmentMarks& target, uint32_t segment_id, const RowBitmapPtr& rows);

/// As the metadata holds them: protobuf, then its CRC32C.
std::string encode_marks(const SegmentMarks& marks);
/// Corruption when checksum or structure is wrong.
Result<SegmentMarks> decode_marks(std::string_view bytes);

}  // namespace thetis
