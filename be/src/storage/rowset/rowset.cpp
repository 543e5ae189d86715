// SPDX-License-Identifier: Apache-2.0
#include "storage/rowset/rowset.h"

#include <algorithm>

namespace thetis {

Rowset::Rowset(
    RowsetMeta meta,
    std::string directory,
    std::shared_ptr<const FileSystem> fs,
    PageCache* cache,
    std::shared_ptr<SegmentCache> open_segments,
    DeleteFilterCompiler compile_filter,
    const Rowset* earlier
)
    : meta_(std::move(meta)),
      directory_(std::move(directory)),
      fs_(std::move(fs)),
      cache_(cache),
      open_segments_(std::move(open_segments)),
      first_file_id_(
          earlier != nullptr && has_files_of(*earlier)
              ? earlier->first_file_id_
              : Segment::new_file_ids(meta_.segments.size())
      ),
      compile_filter_(std::move(compile_filter)) {
    if (earlier == nullptr || earlier->first_file_id_ != first_file_id_) {
        return;
    }
    Segments opened;
    {
        MutexLock lock(earlier->mutex_);
        opened = earlier->segments_;
    }
    if (!opened.empty()) {
        {
            MutexLock lock(mutex_);
            segments_ = std::move(opened);
        }
        if (open_segments_ != nullptr) {
            open_segments_->add(*this);
        }
    }
}

bool Rowset::has_files_of(const Rowset& other) const {
    return directory_ == other.directory_ && meta_.rowset_id == other.meta_.rowset_id &&
           std::ranges::equal(
               meta_.segments,
               other.meta_.segments,
               [](const SegmentFile& mine, const SegmentFile& theirs) {
                   return mine.id == theirs.id && mine.num_rows == theirs.num_rows &&
                          mine.size_bytes == theirs.size_bytes;
               }
           );
}

Rowset::~Rowset() {
    if (open_segments_ != nullptr) {
        open_segments_->remove(*this);
    }
}

Result<DeleteFilterPtr> Rowset::delete_filter() const {
    if (!meta_.is_delete()) {
        return DeleteFilterPtr();
    }
    {
        MutexLock lock(mutex_);
        if (delete_filter_ != nullptr) {
            return delete_filter_;
        }
    }
    if (!compile_filter_ || meta_.schema == nullptr) {
        return Status::error(
            ErrorCode::kCorruption,
            "The condition of rowset {} of tablet {} cannot be read",
            meta_.rowset_id,
            meta_.tablet_id
        );
    }
    auto compiled = compile_filter_(meta_.delete_predicate, *meta_.schema);
    if (!compiled.ok()) {
        return compiled.status().with_context(
            "Condition of rowset {} of tablet {}", meta_.rowset_id, meta_.tablet_id
        );
    }
    MutexLock lock(mutex_);
    delete_filter_ = compiled.take();
    return delete_filter_;
}

Result<std::vector<std::shared_ptr<const Segment>>> Rowset::segments() const {
    {
        MutexLock lock(mutex_);
        if (segments_.size() == meta_.segments.size()) {
            was_used_.store(true, std::memory_order_relaxed);
            return segments_;
        }
    }
    SegmentOpenOptions options{.file_id = first_file_id_, .open_segments = nullptr};
    if (open_segments_ != nullptr) {
        options.open_segments = open_segments_->open_segments();
    }
    Segments opened;
    for (const SegmentFile& file : meta_.segments) {
        const std::string path = directory_ + "/" + segment_file_name(meta_.rowset_id, file.id);
        ASSIGN_OR_RETURN(auto segment, Segment::open(*fs_, path, cache_, options));
        ++options.file_id;
        if (segment->num_rows() != file.num_rows) {
            return Status::error(
                ErrorCode::kCorruption,
                "{} rows instead of {} in {}",
                segment->num_rows(),
                file.num_rows,
                path
            );
        }
        opened.push_back(std::move(segment));
    }
    Segments surplus;  // Another thread was first.
    {
        MutexLock lock(mutex_);
        if (segments_.size() == meta_.segments.size()) {
            surplus.swap(opened);
            opened = segments_;
        } else {
            segments_ = opened;
        }
    }
    if (open_segments_ != nullptr) {
        open_segments_->add(*this);
    }
    return opened;
}

void Rowset::close_segments() const {
    // First, so that files that are opened at the same time are known to the cache.
    if (open_segments_ != nullptr) {
        open_segments_->remove(*this);
    }
    Segments closed;  // Goes after the lock, and the files with it.
    MutexLock lock(mutex_);
    closed.swap(segments_);
}

bool Rowset::was_used() const {
    return was_used_.exchange(false, std::memory_order_relaxed);
}

int64_t Rowset::release(Released& released) const {
    MutexLock lock(mutex_);
    for (const auto& segment : segments_) {
        // Opening it again beside its readers would make it two files.
        if (segment.use_count() > 1) {
            return -1;
        }
    }
    const auto count = static_cast<int64_t>(segments_.size());
    released.insert(
        released.end(),
        std::make_move_iterator(segments_.begin()),
        std::make_move_iterator(segments_.end())
    );
    segments_.clear();
    return count;
}

Status Rowset::remove_files() const {
    for (const SegmentFile& file : meta_.segments) {
        RETURN_IF_ERROR(fs_->remove(directory_ + "/" + segment_file_name(meta_.rowset_id, file.id))
        );
    }
    return {};
}

}  // namespace thetis
