// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/status.h"

namespace apache::thrift {
class TProcessor;
}

namespace thetis {

class HeartbeatHandler;
class TabletTasks;

/// One Thrift service on one port: a thread per connection, at most so many connections. Binary
/// protocol, buffered.
class ThriftServer {
public:
    ThriftServer(std::string name, std::shared_ptr<apache::thrift::TProcessor> processor);
    ~ThriftServer();

    Status start(const std::string& host, int port, int max_connections);
    int port() const;
    /// Closes the port and all connections, waits for running calls. Idempotent.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The services as Thrift sees them; the handlers outlive them.
std::shared_ptr<apache::thrift::TProcessor> make_backend_processor(TabletTasks& tasks);
std::shared_ptr<apache::thrift::TProcessor> make_heartbeat_processor(HeartbeatHandler& heartbeats);

}  // namespace thetis
