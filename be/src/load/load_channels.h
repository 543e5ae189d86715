// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/thread/thread_pool.h"
#include "base/thread/timer_wheel.h"
#include "load/in_flight_bytes.h"
#include "load/load_channel.h"

namespace thetis {

/// All loads that write tablets of this back end, by load id. A load whose deadline passes is
/// cancelled. Thread-safe.
class LoadChannels {
public:
    /// `engine` and `timers` outlive this object.
    LoadChannels(
        StorageEngine& engine,
        TimerWheel& timers,
        int num_threads,
        int64_t max_bytes_in_flight = int64_t{256} << 20
    );
    ~LoadChannels();
    LoadChannels(const LoadChannels&) = delete;
    LoadChannels& operator=(const LoadChannels&) = delete;

    /// The channel of a load; the first sender makes it. Refused for a load that has ended here.
    Result<std::shared_ptr<LoadChannel>> open(const LoadChannelOptions& options);

    void cancel(const QueryId& load_id, const Status& reason);

    /// What loads that run on this back end have on their way, together.
    const std::shared_ptr<InFlightBytes>& in_flight() const { return in_flight_; }

    size_t num_channels() const;
    size_t num_tablet_writers() const;

    /// Cancels every load and waits for running appends. Idempotent.
    void shutdown();

private:
    void remove(const QueryId& load_id);

    StorageEngine& engine_;
    TimerWheel& timers_;
    ThreadPool pool_;
    const std::shared_ptr<InFlightBytes> in_flight_;

    struct Entry {
        std::shared_ptr<LoadChannel> channel;
        TimerWheel::Id timer = 0;
    };

    mutable Mutex mutex_;  // Guards all below; not held while a channel is called.
    std::unordered_map<QueryId, Entry> channels_ GUARDED_BY(mutex_);
    std::unordered_set<QueryId> ended_ GUARDED_BY(mutex_);
    // The same, oldest first: a load's end looks at those only that are forgotten.
    std::deque<std::pair<QueryId, SteadyTime>> ended_in_order_ GUARDED_BY(mutex_);
    bool stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace thetis
