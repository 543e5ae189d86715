// SPDX-License-Identifier: Apache-2.0
#include "load/load_channel.h"

#include "load/tablet_slot.h"
#include "storage/engine/storage_engine.h"

namespace thetis {

namespace {

/// Calls back when the last tablet of a batch is done.
class PendingBatch {
public:
    PendingBatch(size_t num_tablets, std::function<void(Status)> consumed)
        : left_(num_tablets), consumed_(std::move(consumed)) {}

    void done_one() {
        // Acquire-release: the callback sees what every tablet's worker did.
        if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            consumed_({});
        }
    }

private:
    std::atomic<size_t> left_;
    std::function<void(Status)> consumed_;
};

}  // namespace

LoadChannel::LoadChannel(
    StorageEngine& engine,
    ThreadPool& pool,
    LoadChannelOptions options,
    std::function<void()> on_end
)
    : engine_(engine), pool_(pool), options_(std::move(options)), on_end_(std::move(on_end)) {}

LoadChannel::~LoadChannel() = default;

std::shared_ptr<TabletSlot> LoadChannel::slot_of(uint32_t index, int64_t tablet_id) {
    MutexLock lock(mutex_);
    auto& slot = slots_[tablet_id];
    if (slot == nullptr) {
        const LoadIndex& how = options_.indexes[index];
        WriterOptions writer_options;
        writer_options.txn_id = options_.txn_id;
        writer_options.load_id = options_.load_id.to_string();
        writer_options.deadline = options_.deadline;
        writer_options.schema = how.schema;
        writer_options.column_unique_ids = how.column_unique_ids;
        writer_options.partial_update = how.partial_update;
        writer_options.existing_only = how.partial_update_existing_only;
        writer_options.new_values = how.new_values;
        slot = std::make_shared<TabletSlot>(engine_, pool_, index, tablet_id, writer_options);
    }
    return slot;
}

void LoadChannel::write(
    uint32_t index,
    std::shared_ptr<const Batch> batch,
    std::vector<TabletRows> tablets,
    std::function<void(Status)> consumed
) {
    {
        MutexLock lock(mutex_);
        Status refusal = cancel_reason_;
        if (refusal.ok() &&
            (ended_ || closed_senders_.size() >= static_cast<size_t>(options_.num_senders))) {
            refusal = Status::error(
                ErrorCode::kCancelled, "load {} is closed", options_.load_id.to_string()
            );
        }
        if (index >= options_.indexes.size()) {
            refusal = Status::error(
                ErrorCode::kInvalidArgument,
                "index {} of the {} that load {} writes",
                index,
                options_.indexes.size(),
                options_.load_id.to_string()
            );
        }
        if (!refusal.ok() || tablets.empty()) {
            lock.unlock();
            consumed(refusal);
            return;
        }
    }
    auto pending = std::make_shared<PendingBatch>(tablets.size(), std::move(consumed));
    for (auto& tablet : tablets) {
        auto slot = slot_of(index, tablet.tablet_id);
        slot->submit([batch, pending, rows = std::move(tablet.rows)](TabletSlot& self) {
            self.append(*batch, rows);
            pending->done_one();
        });
    }
}

void LoadChannel::close_sender(
    int sender_id, std::vector<IndexTablets> touched, CloseCallback done
) {
    {
        MutexLock lock(mutex_);
        if (ended_) {
            LoadCloseResult result = result_;
            lock.unlock();
            done(result);
            return;
        }
        close_callbacks_.emplace(sender_id, std::move(done));
        for (const IndexTablets& tablets : touched) {
            touched_.insert(tablets.tablet_ids.begin(), tablets.tablet_ids.end());
        }
        if (!closed_senders_.insert(sender_id).second ||
            closed_senders_.size() < static_cast<size_t>(options_.num_senders) ||
            !cancel_reason_.ok()) {
            return;
        }
    }
    commit_all();
}

void LoadChannel::commit_all() {
    std::vector<std::shared_ptr<TabletSlot>> slots;
    std::vector<int64_t> empty;
    {
        MutexLock lock(mutex_);
        for (auto& [id, slot] : slots_) {
            slots.push_back(slot);
            touched_.erase(id);
        }
        empty.assign(touched_.begin(), touched_.end());
        open_tablets_ = slots.size() + empty.size();
    }
    if (slots.empty() && empty.empty()) {
        end({});
    }
    if (!empty.empty()) {
        auto work = [self = shared_from_this(), empty] { self->commit_empty(empty); };
        if (!pool_.submit(work).ok()) {
            work();
        }
    }
    for (auto& slot : slots) {
        slot->submit([self = shared_from_this()](TabletSlot& tablet) {
            const Status status = tablet.commit();
            // Further indexes miss the same keys.
            const int64_t num_missing = tablet.index() == 0 ? tablet.num_missing_keys() : 0;
            self->tablet_closed(tablet.tablet_id(), status, num_missing);
        });
    }
}

void LoadChannel::commit_empty(const std::vector<int64_t>& tablet_ids) {
    const std::vector<TabletOutcome> outcomes =
        engine_.commit_empty(options_.txn_id, options_.load_id.to_string(), tablet_ids);
    for (const TabletOutcome& outcome : outcomes) {
        tablet_closed(outcome.tablet_id, outcome.status, 0);
    }
}

void LoadChannel::tablet_closed(int64_t tablet_id, const Status& status, int64_t num_missing_keys) {
    LoadCloseResult result;
    {
        MutexLock lock(mutex_);
        if (status.ok()) {
            result_.committed.push_back(tablet_id);
            if (num_missing_keys > 0) {
                result_.missing_keys.emplace_back(tablet_id, num_missing_keys);
            }
        } else {
            result_.failed.emplace_back(tablet_id, status);
        }
        if (--open_tablets_ != 0) {
            return;
        }
        result = result_;
        if (!cancel_reason_.ok()) {
            result.status = cancel_reason_;
        }
    }
    end(std::move(result));
}

void LoadChannel::cancel(const Status& reason) {
    std::vector<std::shared_ptr<TabletSlot>> slots;
    bool commit_running = false;
    {
        MutexLock lock(mutex_);
        if (ended_ || !cancel_reason_.ok()) {
            return;
        }
        cancel_reason_ =
            reason.ok() ? Status::error(ErrorCode::kCancelled, "the load was cancelled") : reason;
        commit_running = open_tablets_ != 0;
        for (auto& [id, slot] : slots_) {
            slots.push_back(slot);
        }
    }
    for (auto& slot : slots) {
        slot->interrupt();
        slot->submit([reason](TabletSlot& tablet) { tablet.discard(reason); });
    }
    if (!commit_running) {
        LoadCloseResult result;
        result.status = reason;
        end(std::move(result));
    }
}

void LoadChannel::end(LoadCloseResult result) {
    std::multimap<int, CloseCallback> callbacks;
    std::function<void()> on_end;
    {
        MutexLock lock(mutex_);
        if (ended_) {
            return;
        }
        ended_ = true;
        result_ = result;
        callbacks.swap(close_callbacks_);
        slots_.clear();
        on_end = std::move(on_end_);
    }
    // First, so that whoever hears of the end cannot open the load again.
    if (on_end) {
        on_end();
    }
    for (auto& [sender, callback] : callbacks) {
        callback(result);
        result.missing_keys.clear();
    }
}

size_t LoadChannel::num_tablets() const {
    MutexLock lock(mutex_);
    return slots_.size();
}

}  // namespace thetis
