// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/memtable_tablet_writer.h"

#include <numeric>
#include <roaring/roaring.hh>

#include "base/logging.h"
#include "storage/fault.h"
#include "storage/tablet/partial_update.h"

namespace thetis {

namespace {

constexpr auto kWaitStep = std::chrono::milliseconds(500);
constexpr int64_t kFlushHereBytes = 256 << 10;

int64_t unix_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch()
    )
        .count();
}

}  // namespace

RowsetInProgress::RowsetInProgress(
    const WriteServices& services,
    std::shared_ptr<Tablet> tablet,
    std::string rowset_id,
    uint32_t first_segment_id,
    bool existing_only,
    std::vector<NewValue> new_values
)
    : services_(services),
      tablet_(std::move(tablet)),
      rowset_id_(std::move(rowset_id)),
      first_segment_id_(first_segment_id),
      existing_only_(existing_only),
      new_values_(std::move(new_values)),
      hold_(services.hold_rowset_id(rowset_id_)),
      next_segment_(first_segment_id) {}

RowsetInProgress::~RowsetInProgress() {
    if (base_ != nullptr) {
        tablet_->close_update_base(base_->version);
    }
    MutexLock lock(mutex_);
    remove_files();
}

void RowsetInProgress::remove_files() {
    for (uint32_t id = first_segment_id_; id < next_segment_ && !keeps_files_; ++id) {
        if (Status status = services_.fs->remove(path_of(id)); !status.ok()) {
            LOG_WARN(
                "segment of an unfinished rowset stays until the next start tablet_id={} reason={}",
                tablet_->id(),
                status.message()
            );
        }
    }
}

Status RowsetInProgress::open_base() {
    ASSIGN_OR_RETURN(base_, tablet_->open_update_base());
    return {};
}

std::string RowsetInProgress::path_of(uint32_t segment_id) const {
    return tablet_->directory() + "/" + segment_file_name(rowset_id_, segment_id);
}

Status RowsetInProgress::wait_locked(int max_running, SteadyTime deadline) {
    while (num_running_ > max_running && failure_.ok()) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= deadline) {
            return Status::error(
                ErrorCode::kTimeout, "Flushes of tablet {} did not end in time", tablet_->id()
            );
        }
        changed_.wait_until(mutex_, deadline - now > kWaitStep ? now + kWaitStep : deadline);
    }
    return failure_;
}

Status RowsetInProgress::wait(int max_running, SteadyTime deadline) {
    MutexLock lock(mutex_);
    return wait_locked(max_running, deadline);
}

bool RowsetInProgress::can_flush_at_once(int max_running, int max_segments) const {
    MutexLock lock(mutex_);
    return failure_.ok() && num_running_ < max_running &&
           next_segment_ - first_segment_id_ < static_cast<uint32_t>(max_segments) / 2;
}

Result<uint32_t> RowsetInProgress::begin_flush(
    int max_running, int max_segments, SteadyTime deadline
) {
    MutexLock lock(mutex_);
    RETURN_IF_ERROR(wait_locked(max_running - 1, deadline));
    if (next_segment_ - first_segment_id_ >= static_cast<uint32_t>(max_segments)) {
        failure_ = Status::error(
            ErrorCode::kTooManySegments,
            "The load makes more than {} segments in tablet {}: raise max_segment_num_per_rowset "
            "or write_buffer_size",
            max_segments,
            tablet_->id()
        );
        return failure_;
    }
    ++num_running_;
    return next_segment_++;
}

Status RowsetInProgress::write(Memtable& memtable, uint32_t segment_id, SegmentFile& file) {
    RETURN_IF_ERROR(status());
    RETURN_IF_ERROR(strike(services_.debug_points, "TabletWriter.flush"));
    ASSIGN_OR_RETURN(SortedRows rows, memtable.take_sorted());
    RETURN_IF_ERROR(strike(services_.debug_points, "TabletWriter.flush.sorted"));
    if (base_ != nullptr) {
        ASSIGN_OR_RETURN(
            const std::vector<uint32_t> missing,
            fill_from_old_rows(
                rows,
                base_->rowsets,
                base_->version,
                existing_only_ ? MissingKeys::kKeep : MissingKeys::kInsert,
                new_values_
            )
        );
        if (existing_only_ && !missing.empty()) {
            MutexLock lock(mutex_);
            missing_[segment_id] =
                std::make_shared<const RowBitmap>(missing.size(), missing.data());
        }
    }
    if (rows.num_rows() == 0) {
        return {};
    }
    RETURN_IF_ERROR(rows.complete());
    ASSIGN_OR_RETURN(file, rows.write(*services_.fs, path_of(segment_id), services_.sync_files));
    file.id = segment_id;
    return strike(services_.debug_points, "TabletWriter.flush.done");
}

void RowsetInProgress::flush(Memtable& memtable, uint32_t segment_id, int64_t accounted_bytes) {
    SegmentFile file;
    Status status = write(memtable, segment_id, file);
    services_.budget->flush_ended(accounted_bytes);
    MutexLock lock(mutex_);
    --num_running_;
    if (status.ok() && file.num_rows > 0) {
        segments_.push_back(file);
    } else if (!status.ok() && failure_.ok()) {
        failure_ = status.with_context("Flush of tablet {}", tablet_->id());
    }
    changed_.notify_all();
}

void RowsetInProgress::cancel() {
    MutexLock lock(mutex_);
    if (failure_.ok() && !keeps_files_) {
        failure_ = Status::error(
            ErrorCode::kCancelled, "The load of tablet {} was cancelled", tablet_->id()
        );
    }
    changed_.notify_all();
}

Status RowsetInProgress::status() const {
    MutexLock lock(mutex_);
    return failure_;
}

void RowsetInProgress::abandon() {
    cancel();
    MutexLock lock(mutex_);
    while (num_running_ > 0) {
        changed_.wait_until(mutex_, std::chrono::steady_clock::now() + kWaitStep);
    }
    remove_files();
    keeps_files_ = true;
}

std::vector<SegmentFile> RowsetInProgress::segments() const {
    MutexLock lock(mutex_);
    std::vector<SegmentFile> sorted(segments_);
    std::sort(sorted.begin(), sorted.end(), [](const SegmentFile& a, const SegmentFile& b) {
        return a.id < b.id;
    });
    return sorted;
}

SegmentMarks RowsetInProgress::missing() const {
    MutexLock lock(mutex_);
    return missing_;
}

int64_t RowsetInProgress::num_missing_keys() const {
    // What a shadow lacks is not known before its history is there.
    const bool is_known = base_ != nullptr && base_->version > 0;
    MutexLock lock(mutex_);
    int64_t count = 0;
    for (const auto& [segment_id, rows] : missing_) {
        count += is_known ? static_cast<int64_t>(rows->cardinality()) : 0;
    }
    return count;
}

void RowsetInProgress::keep_files() {
    MutexLock lock(mutex_);
    keeps_files_ = true;
}

MemtableTabletWriter::MemtableTabletWriter(
    const WriteServices& services,
    std::shared_ptr<Tablet> tablet,
    WriterOptions options,
    std::optional<RowsetPart> part
)
    : services_(services),
      tablet_(std::move(tablet)),
      options_(std::move(options)),
      part_(std::move(part)),
      rowset_(std::make_shared<RowsetInProgress>(
          services,
          tablet_,
          part_.has_value() ? part_->rowset_id : services.next_rowset_id(),
          part_.has_value() ? part_->first_segment_id : 0,
          options_.existing_only,
          options_.new_values
      )) {
    services_.budget->join(*this);
}

MemtableTabletWriter::~MemtableTabletWriter() {
    services_.budget->leave(*this);
    rowset_->cancel();
    services_.budget->add(-accounted_bytes_);
}

Status MemtableTabletWriter::append(const Batch& batch) {
    if (batch.selection != nullptr) {
        return append(batch, *batch.selection);
    }
    Selection all(batch.num_rows);
    std::iota(all.begin(), all.end(), uint16_t{0});
    return append(batch, all);
}

Status MemtableTabletWriter::append(const Batch& batch, std::span<const uint16_t> rows) {
    RETURN_IF_ERROR(append_rows(batch, rows));
    // Without the lock: the budget may choose this writer.
    services_.budget->relieve();
    if (wants_flush_.exchange(false, std::memory_order_relaxed)) {
        try_flush();
    }
    services_.budget->wait_for_room(options_.deadline);
    return {};
}

bool MemtableTabletWriter::try_flush() {
    if (!mutex_.try_lock()) {
        wants_flush_.store(true, std::memory_order_relaxed);
        return false;
    }
    const bool can_flush =
        !is_closed_ &&
        rowset_->can_flush_at_once(services_.max_running_flushes(), services_.max_segments());
    const bool flushed = can_flush && submit_flush().ok();
    mutex_.unlock();
    return flushed;
}

Status MemtableTabletWriter::append_rows(const Batch& batch, std::span<const uint16_t> rows) {
    MutexLock lock(mutex_);
    if (is_closed_) {
        return Status::error(
            ErrorCode::kCancelled, "The writer of tablet {} is closed", tablet_->id()
        );
    }
    RETURN_IF_ERROR(rowset_->status());
    if (rows.empty()) {
        return {};
    }
    {
        RETURN_IF_ERROR(prepare());
        MemoryScope scope(services_.memory);
        if (memtable_ == nullptr) {
            memtable_ = std::make_shared<Memtable>(layout_);
        }
        RETURN_IF_ERROR(memtable_->append(batch, rows));
    }
    num_rows_ += static_cast<int64_t>(rows.size());
    const auto used_bytes = static_cast<int64_t>(memtable_->memory_bytes());
    services_.budget->add(used_bytes - accounted_bytes_);
    accounted_bytes_ = used_bytes;
    const int64_t buffer_bytes = options_.write_buffer_bytes > 0 ? options_.write_buffer_bytes
                                                                 : services_.write_buffer_bytes();
    flushable_bytes_.store(used_bytes, std::memory_order_relaxed);
    return used_bytes >= buffer_bytes ? submit_flush() : Status();
}

Status MemtableTabletWriter::prepare() {
    if (layout_ != nullptr) {
        return {};
    }
    const TabletSchemaPtr schema = options_.schema != nullptr ? options_.schema : tablet_->schema();
    ASSIGN_OR_RETURN(const auto layout, WriteLayout::for_load(schema, options_.column_unique_ids));
    if (options_.partial_update) {
        if (!schema->is_merge_on_write()) {
            return Status::error(
                ErrorCode::kNotSupported,
                "A partial update needs a UNIQUE table with merge-on-write (tablet {})",
                tablet_->id()
            );
        }
        RETURN_IF_ERROR(rowset_->open_base());
    }
    layout_ = layout;
    return {};
}

Status MemtableTabletWriter::submit_flush(bool here) {
    if (memtable_ == nullptr || memtable_->num_rows() == 0) {
        return {};
    }
    ASSIGN_OR_RETURN(
        const uint32_t segment_id,
        rowset_->begin_flush(
            services_.max_running_flushes(), services_.max_segments(), options_.deadline
        )
    );
    auto task = [rowset = rowset_,
                 memtable = std::move(memtable_),
                 segment_id,
                 accounted = accounted_bytes_,
                 memory = services_.memory] {
        MemoryScope scope(memory);
        rowset->flush(*memtable, segment_id, accounted);
    };
    services_.budget->flush_started(accounted_bytes_);
    memtable_ = nullptr;
    accounted_bytes_ = 0;
    flushable_bytes_.store(0, std::memory_order_relaxed);
    if (here || !services_.flush_pool->submit(task).ok()) {
        task();
    }
    return {};
}

Status MemtableTabletWriter::close() {
    MutexLock lock(mutex_);
    if (!is_closed_) {
        is_closed_ = true;
        close_status_ = finish();
        if (!close_status_.ok()) {
            rowset_->cancel();
        }
    }
    return close_status_;
}

Status MemtableTabletWriter::finish() {
    // Handing a few rows to another thread takes longer than writing them.
    RETURN_IF_ERROR(submit_flush(accounted_bytes_ <= kFlushHereBytes));
    RETURN_IF_ERROR(rowset_->wait(0, options_.deadline));
    RowsetMeta meta;
    meta.rowset_id = rowset_->rowset_id();
    meta.tablet_id = tablet_->id();
    meta.txn_id = options_.txn_id;
    meta.load_id = options_.load_id;
    meta.segments = rowset_->segments();
    meta.creation_time = unix_seconds();
    if (rowset_->base() != nullptr) {
        meta.partial_update = PartialUpdate{
            .base_version = rowset_->base()->version,
            .column_unique_ids = options_.column_unique_ids,
            .existing_only = options_.existing_only,
            .missing = rowset_->missing(),
            .new_values = options_.new_values
        };
    }
    meta.is_overlapping = meta.segments.size() > 1;
    for (const SegmentFile& segment : meta.segments) {
        meta.num_rows += static_cast<int64_t>(segment.num_rows);
        meta.data_size_bytes += static_cast<int64_t>(segment.size_bytes);
    }
    if (services_.sync_files && !meta.segments.empty()) {
        RETURN_IF_ERROR(services_.fs->sync_directory(tablet_->directory()));
    }
    RETURN_IF_ERROR(strike(services_.debug_points, "TabletWriter.commit"));
    bool is_first = true;
    if (part_.has_value()) {
        RETURN_IF_ERROR(part_->record(std::move(meta)));
    } else {
        ASSIGN_OR_RETURN(is_first, services_.commit(tablet_, std::move(meta), options_.schema));
    }
    if (is_first) {
        rowset_->keep_files();
    }
    return strike(services_.debug_points, "TabletWriter.commit.done");
}

void MemtableTabletWriter::cancel() {
    rowset_->cancel();
}

void MemtableTabletWriter::abandon() {
    rowset_->abandon();
}

int64_t MemtableTabletWriter::num_rows() const {
    MutexLock lock(mutex_);
    return num_rows_;
}

}  // namespace thetis
