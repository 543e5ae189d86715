// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "base/status.h"
#include "base/thread/mutex.h"
#include "base/thread/thread_pool.h"
#include "storage/engine/storage_engine.h"

namespace thetis {

/// One tablet of a load: its storage writer, made when the first work arrives, and the work queued
/// for it. Work runs on the pool one piece after the other. Thread-safe.
class TabletSlot : public std::enable_shared_from_this<TabletSlot> {
public:
    using Work = std::function<void(TabletSlot&)>;

    /// `index`: which of the load's indexes the tablet is of.
    TabletSlot(
        StorageEngine& engine,
        ThreadPool& pool,
        uint32_t index,
        int64_t tablet_id,
        WriterOptions options
    )
        : engine_(engine),
          pool_(pool),
          index_(index),
          tablet_id_(tablet_id),
          options_(std::move(options)) {}

    uint32_t index() const { return index_; }

    int64_t tablet_id() const { return tablet_id_; }

    /// Queues work; when the pool is shut down it runs at once, on the caller's thread.
    void submit(Work work);

    // The following are called by work only.

    /// The first failure sticks; later rows are dropped.
    void append(const Batch& batch, std::span<const uint16_t> rows);
    Status commit();
    void discard(const Status& reason);

    const Status& failure() const { return failure_; }

    /// Rows that commit() left out, as their keys are not there.
    int64_t num_missing_keys() const { return num_missing_keys_; }

    /// Stops a running append or flush wait soon; discard() follows as work.
    void interrupt();

private:
    void drain();

    StorageEngine& engine_;
    ThreadPool& pool_;
    const uint32_t index_;
    const int64_t tablet_id_;
    const WriterOptions options_;

    // Touched by the running work only; the handover between workers goes through mutex_.
    Status failure_;
    int64_t num_missing_keys_ = 0;

    Mutex mutex_;  // Guards all below; not held while work runs.
    std::deque<Work> work_ GUARDED_BY(mutex_);
    bool running_ GUARDED_BY(mutex_) = false;
    std::shared_ptr<TabletWriter> writer_ GUARDED_BY(mutex_);
};

}  // namespace thetis
