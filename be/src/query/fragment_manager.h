// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "base/time.h"
#include "exec/exchange/exchange_transport.h"
#include "exec/pipeline/query_id.h"
#include "query/result_buffer.h"

namespace thetis::wire {
class ExecPlan;
}

namespace thetis {

class ExecServices;
class QueryContext;
class RowErrors;
class RowSource;

/// What a caller in this process adds to a plan: the body of a stream load.
struct LocalInputs {
    std::shared_ptr<RowSource> rows;
    std::shared_ptr<RowErrors> row_errors;
};

struct FragmentManagerOptions {
    int64_t fragment_start_timeout_ms = 30'000;
    int64_t result_buffer_bytes = 8 << 20;
    /// A finished query stays for its fetcher this long.
    int64_t finished_keep_ms = 60'000;
    int64_t timer_tick_ms = 50;
    /// Outlives the manager; null: the machine's.
    const Clock* clock = nullptr;
};

/// Life of every query on this back end: prepare, start, fetch, cancel, and the timer that ends
/// what nobody ends. All public functions are thread-safe and none waits for a query. A prepared
/// query holds memory, never a thread. The timer, the cancel call, the loss of the coordinator and
/// an error of any operator end in the same idempotent cancel.
class FragmentManager {
public:
    /// `services` outlives this object.
    FragmentManager(ExecServices& services, FragmentManagerOptions options);
    ~FragmentManager();

    FragmentManager(const FragmentManager&) = delete;
    FragmentManager& operator=(const FragmentManager&) = delete;

    /// Builds the pipelines of a plan and registers its receivers. `start` also opens the gate.
    /// Sent twice, the second is refused.
    Status prepare(const wire::ExecPlan& plan, bool start, LocalInputs inputs = {});

    /// The same from Thrift compact bytes.
    Status prepare_bytes(std::string_view exec_plan, bool start);

    /// Opens the gate; idempotent. kNotFound when the query is not (or no longer) here.
    Status start(const QueryId& query_id);

    /// Ends the query with `reason`; nothing happens when it is not here or has ended. Also
    /// remembers the id for a while, so that a prepare that arrives after its cancel is refused.
    void cancel(const QueryId& query_id, const Status& reason);

    /// The result of a query's result or table sink; null when the query is not here.
    std::shared_ptr<ResultBuffer> result(const QueryId& query_id);

    /// The fetcher has got eos (or is gone): forget the query, cancelling it if it runs.
    void release(const QueryId& query_id);

    /// One piece from a sender on another back end. `acknowledge` is called once, at once or when
    /// there is room. A piece for a query that is not here is answered with receiver_done.
    void receive(TransmitPiece piece, TransmitCallback acknowledge);

    /// The front end at `host` now runs with `epoch` (0: it is gone): cancels what an earlier
    /// process there coordinated.
    void coordinator_epoch(const std::string& host, int32_t port, int64_t epoch);

    /// Numbers for /metrics and for tests that look for leaks.
    struct Metrics {
        int64_t num_queries = 0;
        int64_t num_prepared_not_started = 0;
        int64_t num_receivers = 0;
        int64_t total_started = 0;
        int64_t total_finished = 0;
        int64_t total_failed = 0;
        int64_t total_cancelled = 0;
        int64_t memory_bytes = 0;
    };

    Metrics metrics() const;

    /// One line per running query: id, state, age, memory.
    std::vector<std::string> describe_queries() const;

    /// Cancels everything and waits (bounded) until it is gone. Called by the destructor.
    void shutdown();

private:
    static FragmentManagerOptions with_clock(FragmentManagerOptions options, const Clock& clock);
    void run_timer();
    void tick(std::chrono::steady_clock::time_point now);
    std::shared_ptr<QueryContext> find(const QueryId& query_id) const;

    /// How queries ended. Shared with their last tasks, which may outlive what the maps know: a
    /// released query is no longer listed while it winds down.
    struct Ends {
        void count(const Status& outcome);

        std::mutex mutex;  // Guards all below.
        std::condition_variable ended;
        int64_t num_live = 0;
        int64_t num_finished = 0;
        int64_t num_failed = 0;
        int64_t num_cancelled = 0;
    };

    ExecServices& services_;
    const SystemClock system_clock_;
    const FragmentManagerOptions options_;

    mutable std::mutex mutex_;  // Guards the maps. No query function is called under it.
    std::unordered_map<QueryId, std::shared_ptr<QueryContext>> queries_;
    std::unordered_map<QueryId, std::chrono::steady_clock::time_point> recently_cancelled_;

    std::atomic<int64_t> total_started_{0};
    const std::shared_ptr<Ends> ends_ = std::make_shared<Ends>();

    std::mutex timer_mutex_;  // Guards stopping_.
    std::condition_variable timer_wakeup_;
    bool stopping_ = false;
    std::thread timer_;
};

}  // namespace thetis
