// SPDX-License-Identifier: Apache-2.0
#include "load/load_channels.h"

#include "base/logging.h"

namespace thetis {

namespace {

// A sender that comes this late after the load ended is not of this world.
constexpr auto kRememberEnded = std::chrono::minutes(10);

}  // namespace

LoadChannels::LoadChannels(
    StorageEngine& engine, TimerWheel& timers, int num_threads, int64_t max_bytes_in_flight
)
    : engine_(engine),
      timers_(timers),
      pool_("load", num_threads),
      in_flight_(std::make_shared<InFlightBytes>(max_bytes_in_flight)) {}

LoadChannels::~LoadChannels() {
    shutdown();
}

Result<std::shared_ptr<LoadChannel>> LoadChannels::open(const LoadChannelOptions& options) {
    MutexLock lock(mutex_);
    if (stopping_) {
        return Status::error(ErrorCode::kCancelled, "the back end is stopping");
    }
    if (ended_.contains(options.load_id)) {
        return Status::error(
            ErrorCode::kCancelled, "load {} has ended on this back end", options.load_id.to_string()
        );
    }
    auto& entry = channels_[options.load_id];
    if (entry.channel == nullptr) {
        entry.channel = std::make_shared<LoadChannel>(
            engine_, pool_, options, [this, id = options.load_id] { remove(id); }
        );
        auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            options.deadline - std::chrono::steady_clock::now()
        );
        entry.timer = timers_.schedule(
            std::max(left, std::chrono::milliseconds(1)),
            [this, id = options.load_id] {
                cancel(
                    id,
                    Status::error(
                        ErrorCode::kTimeout, "load {} passed its deadline", id.to_string()
                    )
                );
            }
        );
    }
    return entry.channel;
}

void LoadChannels::remove(const QueryId& load_id) {
    TimerWheel::Id timer = 0;
    std::shared_ptr<LoadChannel> channel;  // Destroyed outside of the lock.
    {
        MutexLock lock(mutex_);
        auto found = channels_.find(load_id);
        if (found == channels_.end()) {
            return;
        }
        timer = found->second.timer;
        channel = std::move(found->second.channel);
        channels_.erase(found);
        auto now = std::chrono::steady_clock::now();
        while (!ended_in_order_.empty() && ended_in_order_.front().second + kRememberEnded < now) {
            ended_.erase(ended_in_order_.front().first);
            ended_in_order_.pop_front();
        }
        if (ended_.insert(load_id).second) {
            ended_in_order_.emplace_back(load_id, now);
        }
    }
    timers_.cancel(timer);
}

void LoadChannels::cancel(const QueryId& load_id, const Status& reason) {
    std::shared_ptr<LoadChannel> channel;
    {
        MutexLock lock(mutex_);
        auto found = channels_.find(load_id);
        if (found == channels_.end()) {
            return;
        }
        channel = found->second.channel;
    }
    LOG_INFO("load cancelled load_id={} reason={}", load_id.to_string(), reason.to_string());
    channel->cancel(reason);
}

size_t LoadChannels::num_channels() const {
    MutexLock lock(mutex_);
    return channels_.size();
}

size_t LoadChannels::num_tablet_writers() const {
    std::vector<std::shared_ptr<LoadChannel>> channels;
    {
        MutexLock lock(mutex_);
        for (const auto& [id, entry] : channels_) {
            channels.push_back(entry.channel);
        }
    }
    size_t total = 0;
    for (const auto& channel : channels) {
        total += channel->num_tablets();
    }
    return total;
}

void LoadChannels::shutdown() {
    std::vector<QueryId> ids;
    {
        MutexLock lock(mutex_);
        stopping_ = true;
        for (const auto& [id, entry] : channels_) {
            ids.push_back(id);
        }
    }
    for (const auto& id : ids) {
        cancel(id, Status::error(ErrorCode::kCancelled, "the back end is stopping"));
    }
    pool_.shutdown();
}

}  // namespace thetis
