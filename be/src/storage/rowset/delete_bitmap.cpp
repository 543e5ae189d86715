// SPDX-License-Identifier: Apache-2.0
#include "storage/rowset/delete_bitmap.h"

#include <cstring>
#include <roaring/roaring.hh>

#include "base/hash.h"
#include "storage.pb.h"

namespace thetis {

namespace {

constexpr size_t kMaxJoined = 4;

}  // namespace

DeleteBitmap::DeleteBitmap() = default;
DeleteBitmap::~DeleteBitmap() = default;

RowBitmapPtr join_marks(const RowBitmapPtr& left, const RowBitmapPtr& right) {
    if (left == nullptr || right == nullptr) {
        return left == nullptr ? right : left;
    }
    auto joined = std::make_shared<RowBitmap>(*left);
    *joined |= *right;
    return joined;
}

void add_marks(SegmentMarks& target, uint32_t segment_id, const RowBitmapPtr& rows) {
    if (rows == nullptr || rows->isEmpty()) {
        return;
    }
    RowBitmapPtr& present = target[segment_id];
    present = join_marks(present, rows);
}

void DeleteBitmap::add(int64_t version, const SegmentMarks& marks) {
    MutexLock lock(mutex_);
    for (const auto& [segment_id, rows] : marks) {
        if (rows == nullptr || rows->isEmpty()) {
            continue;
        }
        Segment& segment = segments_[segment_id];
        RowBitmapPtr& present = segment.by_version[version];
        present = join_marks(present, rows);
        segment.joined.erase(segment.joined.lower_bound(version), segment.joined.end());
    }
}

RowBitmapPtr DeleteBitmap::join(Segment& segment, int64_t version) {
    auto end = segment.by_version.upper_bound(version);
    if (end == segment.by_version.begin()) {
        return nullptr;
    }
    const int64_t last = std::prev(end)->first;
    const auto above = segment.joined.upper_bound(last);
    auto begin = segment.by_version.begin();
    auto joined = std::make_shared<RowBitmap>();
    if (above != segment.joined.begin()) {
        const auto& [joined_version, rows] = *std::prev(above);
        if (joined_version == last) {
            return rows;
        }
        *joined = *rows;
        begin = segment.by_version.upper_bound(joined_version);
    } else if (std::next(begin) == end) {
        return begin->second;
    }
    for (; begin != end; ++begin) {
        *joined |= *begin->second;
    }
    segment.joined[last] = joined;
    if (segment.joined.size() > kMaxJoined) {
        segment.joined.erase(segment.joined.begin());
    }
    return joined;
}

RowBitmapPtr DeleteBitmap::at(uint32_t segment_id, int64_t version) const {
    MutexLock lock(mutex_);
    const auto found = segments_.find(segment_id);
    return found == segments_.end() ? nullptr : join(found->second, version);
}

int64_t DeleteBitmap::num_rows(int64_t version) const {
    MutexLock lock(mutex_);
    int64_t total = 0;
    for (auto& [id, segment] : segments_) {
        const RowBitmapPtr rows = join(segment, version);
        total += rows == nullptr ? 0 : static_cast<int64_t>(rows->cardinality());
    }
    return total;
}

std::map<int64_t, SegmentMarks> DeleteBitmap::between(int64_t after, int64_t up_to) const {
    MutexLock lock(mutex_);
    std::map<int64_t, SegmentMarks> result;
    for (const auto& [id, segment] : segments_) {
        for (auto each = segment.by_version.upper_bound(after);
             each != segment.by_version.end() && each->first <= up_to;
             ++each) {
            result[each->first][id] = each->second;
        }
    }
    return result;
}

std::vector<int64_t> DeleteBitmap::versions() const {
    std::vector<int64_t> result;
    for (const auto& [version, marks] : between(INT64_MIN, INT64_MAX)) {
        result.push_back(version);
    }
    return result;
}

bool DeleteBitmap::join_versions(int64_t first, int64_t last, SegmentMarks& joined) {
    MutexLock lock(mutex_);
    bool changed = false;
    for (auto& [id, segment] : segments_) {
        const auto begin = segment.by_version.lower_bound(first);
        const auto end = segment.by_version.upper_bound(last);
        if (begin == end) {
            continue;
        }
        RowBitmapPtr all;
        for (auto each = begin; each != end; ++each) {
            changed = changed || each->first != last;
            all = join_marks(all, each->second);
        }
        segment.by_version.erase(begin, end);
        segment.by_version.emplace(last, all);
        segment.joined.clear();
        joined[id] = std::move(all);
    }
    return changed;
}

std::string encode_marks(const SegmentMarks& marks) {
    pb::DeleteBitmap message;
    for (const auto& [segment_id, rows] : marks) {
        pb::SegmentDeletes& target = *message.add_segments();
        target.set_segment_id(segment_id);
        RowBitmap compact(*rows);
        compact.runOptimize();
        std::string& bytes = *target.mutable_rows();
        bytes.resize(compact.getSizeInBytes());
        compact.write(bytes.data());
    }
    std::string bytes = message.SerializeAsString();
    const uint32_t checksum = crc32c(0, bytes.data(), bytes.size());
    bytes.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
    return bytes;
}

Result<SegmentMarks> decode_marks(std::string_view bytes) {
    const auto corrupt = [](std::string_view what) {
        return Status::error(ErrorCode::kCorruption, "{} in a delete bitmap", what);
    };
    uint32_t checksum = 0;
    if (bytes.size() < sizeof(checksum)) {
        return corrupt("Too few bytes");
    }
    const size_t size = bytes.size() - sizeof(checksum);
    std::memcpy(&checksum, bytes.data() + size, sizeof(checksum));
    if (crc32c(0, bytes.data(), size) != checksum) {
        return corrupt("Checksum mismatch");
    }
    pb::DeleteBitmap message;
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(size))) {
        return corrupt("Unreadable protobuf");
    }
    SegmentMarks marks;
    for (const pb::SegmentDeletes& source : message.segments()) {
        // Null instead of the throwing C++ form.
        roaring_bitmap_t* rows =
            roaring_bitmap_portable_deserialize_safe(source.rows().data(), source.rows().size());
        if (rows == nullptr) {
            return corrupt("Unreadable rows");
        }
        marks[source.segment_id()] = std::make_shared<const RowBitmap>(rows);
    }
    return marks;
}

}  // namespace thetis
