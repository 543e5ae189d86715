// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include "base/be_settings.gen.h"
#include "base/cluster_state.h"
#include "load/error_log.h"
#include "load/load_reply.h"
#include "load/load_request.h"

namespace thetis {

class Counter;
class DebugPoints;
class FragmentManager;
class FrontendClient;
class Gauge;
class MetricRegistry;

/// What stream loads need; all outlive the service.
struct StreamLoadServices {
    FragmentManager* fragments = nullptr;
    FrontendClient* frontends = nullptr;
    const ClusterState* cluster = nullptr;
    const ErrorLogStore* error_logs = nullptr;
    const Config* config = nullptr;
    MetricRegistry* metrics = nullptr;
    DebugPoints* debug_points = nullptr;
    int max_concurrent = 48;
};

/// Runs stream loads: begins the transaction at the front end, feeds the body to the plan it sends
/// back, judges bad rows, commits or aborts. Each load occupies its calling thread. Thread-safe.
class StreamLoadService {
public:
    explicit StreamLoadService(StreamLoadServices services);

    /// Whether the whole body was read tells the caller what to do with the connection.
    struct Outcome {
        LoadReply reply;
        bool is_unauthenticated = false;
        bool body_read = false;
    };

    Outcome run(const LoadRequest& request, const BodyReader& read_body);

    /// Second phase of a two-phase load: the JSON reply.
    std::string finish_two_phase(const LoadRequest& request, bool& is_unauthenticated);

private:
    class Run;

    StreamLoadServices services_;
    LoadSettings settings_;
    std::atomic<int> num_running_{0};  // Relaxed: a limit, nothing is published through it.
    Counter& requests_;
    Counter& receive_bytes_;
    Counter& load_rows_;
    Counter& begins_;
    Counter& commits_;
    Counter& rollbacks_;
    Counter& duration_ms_;
    Gauge& current_;
};

}  // namespace thetis
