// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"

namespace thetis {

/// Listens on a port that two protocols share, and tells them apart by the first bytes a client
/// sends, which stay in the socket.
class PortAcceptor {
public:
    /// Take over a connected, non-blocking socket; called on the acceptor's thread.
    struct Routes {
        std::function<void(int socket)> baidu_std;  ///< Starts with "PRPC".
        std::function<void(int socket)> other;
    };

    struct Options {
        /// How long a client may stay silent.
        std::chrono::milliseconds silence_timeout{10'000};
        /// What was sent and not acknowledged for so long breaks a connection.
        int user_timeout_ms = 10'000;
    };

    explicit PortAcceptor(Routes routes);
    PortAcceptor(Routes routes, Options options);
    ~PortAcceptor();
    PortAcceptor(const PortAcceptor&) = delete;
    PortAcceptor& operator=(const PortAcceptor&) = delete;

    /// Port 0: any free one. "0.0.0.0" means every address, IPv6 too where there is any. The port
    /// is never shared with another process.
    Status start(const std::string& host, int port);
    int port() const;
    /// After this no route is called. Idempotent.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace thetis
