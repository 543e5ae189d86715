// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/status.h"

namespace thetis {

class BaiduServer;
class DebugPoints;
class FragmentManager;
class LoadChannels;

/// Serves fragments, exchange and tablet writers over asynchronous gRPC: one completion queue and
/// thread per core, no thread per call. Clients that speak baidu_std on the same port are handed to
/// the server of small calls.
class DataPlaneServer {
public:
    /// All outlive the server. Without `small_calls` everybody is taken for a gRPC client.
    DataPlaneServer(
        FragmentManager& fragments,
        LoadChannels& loads,
        DebugPoints* debug_points,
        BaiduServer* small_calls = nullptr
    );
    ~DataPlaneServer();

    /// Port 0: any free one.
    Status start(const std::string& host, int port, int num_threads, int64_t max_message_bytes);
    int port() const;
    /// Call after the fragment manager and the loads were shut down, so that no call is waiting for
    /// them. Idempotent.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace thetis
