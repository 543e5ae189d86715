// SPDX-License-Identifier: Apache-2.0
#include "storage/rowset/rowset.h"

namespace thetis {

Rowset::Rowset(
    RowsetMeta meta,
    std::string directory,
    std::shared_ptr<const FileSystem> fs,
    PageCache* cache,
    DeleteFilterCompiler compile_filter
)
    : meta_(std::move(meta)),
      directory_(std::move(directory)),
      fs_(std::move(fs)),
      cache_(cache),
      compile_filter_(std::move(compile_filter)) {}

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
            return segments_;
        }
    }
    std::vector<std::shared_ptr<const Segment>> opened;
    for (const SegmentFile& file : meta_.segments) {
        const std::string path = directory_ + "/" + segment_file_name(meta_.rowset_id, file.id);
        ASSIGN_OR_RETURN(auto segment, Segment::open(*fs_, path, cache_));
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
    MutexLock lock(mutex_);
    if (segments_.size() != meta_.segments.size()) {
        segments_ = std::move(opened);
    }
    return segments_;
}

void Rowset::close_segments() const {
    std::vector<std::shared_ptr<const Segment>>
        closed;  // Goes after the lock, and the files with it.
    MutexLock lock(mutex_);
    closed.swap(segments_);
}

Status Rowset::remove_files() const {
    for (const SegmentFile& file : meta_.segments) {
        RETURN_IF_ERROR(fs_->remove(directory_ + "/" + segment_file_name(meta_.rowset_id, file.id))
        );
    }
    return {};
}

}  // namespace thetis
