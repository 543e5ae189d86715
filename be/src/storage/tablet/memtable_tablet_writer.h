// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/thread/mutex.h"
#include "storage/memtable/memtable.h"
#include "storage/tablet/tablet.h"
#include "storage/tablet/tablet_writer.h"
#include "storage/tablet/write_services.h"

namespace thetis {

/// One of several writers that make a rowset one after the other.
struct RowsetPart {
    std::string rowset_id;
    uint32_t first_segment_id = 0;
    /// Takes the place of the commit: saves durably what the part adds.
    std::function<Status(RowsetMeta)> record;
};

/// The segments one writer makes, shared with its flush tasks. Whoever lets go of it last removes
/// the files, unless the rowset was committed. Thread-safe.
class RowsetInProgress {
public:
    RowsetInProgress(
        const WriteServices& services,
        std::shared_ptr<Tablet> tablet,
        std::string rowset_id,
        uint32_t first_segment_id,
        bool existing_only,
        std::vector<NewValue> new_values
    );
    ~RowsetInProgress();
    RowsetInProgress(const RowsetInProgress&) = delete;
    RowsetInProgress& operator=(const RowsetInProgress&) = delete;

    /// Whether a flush would start without waiting and leave segments for the load's own needs.
    bool can_flush_at_once(int max_running, int max_segments) const;
    /// Waits while `max_running` flushes run, then takes the next segment id; gives up at the
    /// deadline, on failure, on cancel.
    Result<uint32_t> begin_flush(int max_running, int max_segments, SteadyTime deadline);
    /// Writes one memtable and records the result; called by the flush pool.
    void flush(Memtable& memtable, uint32_t segment_id, int64_t accounted_bytes);

    /// From now on absent columns come from the rows of the newest version; before the first flush.
    Status open_base();

    /// The version absent columns come from; null: no partial update.
    const RowsetSnapshot* base() const { return base_.get(); }

    /// Waits until at most `max_running` flushes run, then gives the first failure.
    Status wait(int max_running, SteadyTime deadline);

    void cancel();
    /// cancel() that returns when no flush runs and the files are gone.
    void abandon();
    Status status() const;

    const std::string& rowset_id() const { return rowset_id_; }

    /// Sorted by id; after wait(0).
    std::vector<SegmentFile> segments() const;
    /// Rows of an update of existing ones whose keys are not there; after wait(0).
    SegmentMarks missing() const;
    int64_t num_missing_keys() const;
    void keep_files();

private:
    std::string path_of(uint32_t segment_id) const;
    void remove_files() REQUIRES(mutex_);
    Status write(Memtable& memtable, uint32_t segment_id, SegmentFile& file);
    Status wait_locked(int max_running, SteadyTime deadline) REQUIRES(mutex_);

    const WriteServices& services_;
    const std::shared_ptr<Tablet> tablet_;
    const std::string rowset_id_;
    const uint32_t first_segment_id_;
    const bool existing_only_;
    const std::vector<NewValue> new_values_;
    const std::shared_ptr<const void> hold_;
    std::shared_ptr<const RowsetSnapshot> base_;
    mutable Mutex mutex_;  // Guards all below; not held while writing.
    CondVar changed_;
    Status failure_ GUARDED_BY(mutex_);
    int num_running_ GUARDED_BY(mutex_) = 0;
    uint32_t next_segment_ GUARDED_BY(mutex_);
    std::vector<SegmentFile> segments_ GUARDED_BY(mutex_);
    SegmentMarks missing_ GUARDED_BY(mutex_);
    bool keeps_files_ GUARDED_BY(mutex_) = false;
};

/// Memtable, flush, commit: the writer of this storage engine.
class MemtableTabletWriter final : public TabletWriter, private LoadBudget::Member {
public:
    MemtableTabletWriter(
        const WriteServices& services,
        std::shared_ptr<Tablet> tablet,
        WriterOptions options,
        std::optional<RowsetPart> part = std::nullopt
    );
    ~MemtableTabletWriter() override;

    Status append(const Batch& batch, std::span<const uint16_t> rows) override;
    Status append(const Batch& batch) override;
    Status close() override;
    void cancel() override;
    /// cancel() that returns when nothing of it runs or is on disk any more, so that its segment
    /// ids may be given again.
    void abandon();
    int64_t num_rows() const override;

    int64_t num_missing_keys() const override { return rowset_->num_missing_keys(); }

    int64_t tablet_id() const override { return tablet_->id(); }

private:
    int64_t flushable_bytes() const override {
        return flushable_bytes_.load(std::memory_order_relaxed);
    }

    bool try_flush() override;
    Status append_rows(const Batch& batch, std::span<const uint16_t> rows);
    Status prepare() REQUIRES(mutex_);
    /// `here`: on this thread instead of the flush pool's.
    Status submit_flush(bool here = false) REQUIRES(mutex_);
    Status finish() REQUIRES(mutex_);

    const WriteServices& services_;
    const std::shared_ptr<Tablet> tablet_;
    const WriterOptions options_;
    const std::optional<RowsetPart> part_;
    const std::shared_ptr<RowsetInProgress> rowset_;
    std::atomic<int64_t> flushable_bytes_{0};  // Size of the memtable; may be a little late.
    std::atomic<bool> wants_flush_{false};     // Asked for while an append ran.
    mutable Mutex mutex_;  // Guards all below; taken before the rowset's. Held while an append
                           // waits for its turn to flush.
    std::shared_ptr<const WriteLayout> layout_ GUARDED_BY(mutex_);  // Null until the first row.
    std::shared_ptr<Memtable> memtable_ GUARDED_BY(mutex_);
    int64_t accounted_bytes_ GUARDED_BY(mutex_) = 0;
    int64_t num_rows_ GUARDED_BY(mutex_) = 0;
    bool is_closed_ GUARDED_BY(mutex_) = false;
    Status close_status_ GUARDED_BY(mutex_);
};

}  // namespace thetis
