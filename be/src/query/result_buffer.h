// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "base/status.h"
#include "exec/sink/result_channel.h"

namespace thetis {

/// What one fetch gets. Mirrors ResultChunk of service_fragment.proto; the last has `eos`.
struct FetchedChunk {
    Status status;
    std::string packets;  ///< MySQL packets with sequence number 0.
    int64_t num_rows = 0;
    bool eos = false;
    LoadCounters load;  ///< Fragments that end in a table sink, with eos.
    int64_t scan_rows = 0;
    int64_t scan_bytes = 0;
    int64_t cpu_nanos = 0;
    int64_t peak_memory_bytes = 0;
    std::string profile;
};

/// Encoded rows between the result sink of a query and the one who fetches them: bounded bytes, no
/// thread blocked on either side. Thread-safe.
class ResultBuffer : public ResultChannel {
public:
    using FetchCallback = std::function<void(FetchedChunk)>;

    explicit ResultBuffer(int64_t max_bytes);

    DependencyPtr blocked() override;
    Status put(std::string packets, int64_t num_rows) override;
    void put_load(LoadCounters counters) override;

    /// Gives the next chunk to `callback`: at once when there is one, else when it comes. One fetch
    /// may be outstanding; a second is answered with an error. After eos or an error the same
    /// answer is repeated.
    void fetch(FetchCallback callback);

    /// The query ended: rows still held are delivered first when `last.status` is ok, dropped
    /// otherwise. First call wins.
    void finish(FetchedChunk last);

    /// The end was handed to a fetcher.
    bool is_delivered() const;

private:
    bool take_locked(FetchedChunk& chunk);

    const int64_t max_bytes_;
    const DependencyPtr writable_;
    mutable std::mutex mutex_;  // Guards all below. Callbacks run outside of it; writable_'s lock
                                // is taken inside it.
    std::deque<std::pair<std::string, int64_t>> chunks_;
    int64_t held_bytes_ = 0;
    bool finished_ = false;
    bool delivered_ = false;
    FetchedChunk last_;
    LoadCounters load_;
    FetchCallback waiting_;
};

}  // namespace thetis
