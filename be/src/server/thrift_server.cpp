// SPDX-License-Identifier: Apache-2.0
#include "server/thrift_server.h"

#include <future>

#include <thrift/TOutput.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TThreadedServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TServerSocket.h>

#include "BackendService.h"
#include "HeartbeatService.h"
#include "agent/heartbeat_handler.h"
#include "agent/tablet_tasks.h"
#include "base/logging.h"
#include "base/thread/thread_pool.h"
#include "wire/status_codec.h"

namespace thetis {

namespace {

using apache::thrift::protocol::TBinaryProtocolFactory;
using apache::thrift::server::TThreadedServer;
using apache::thrift::transport::TBufferedTransportFactory;
using apache::thrift::transport::TServerSocket;

constexpr int kMaxStringBytes = 256 << 20;
constexpr int kMaxElements = 16 << 20;
constexpr int kConnectionIdleMs = 600'000;

/// Tells when the server listens, which serve() does on its own thread.
class ListenSignal final : public apache::thrift::server::TServerEventHandler {
public:
    void preServe() override { listening_.set_value(true); }

    std::promise<bool>& listening() { return listening_; }

private:
    std::promise<bool> listening_;
};

class BackendAdapter final : public wire::BackendServiceIf {
public:
    explicit BackendAdapter(TabletTasks& tasks) : tasks_(tasks) {}

    void create_tablets(wire::TabletTasksReply& reply, const wire::CreateTabletsRequest& request)
        override {
        tasks_.create_tablets(request, reply);
    }

    void drop_tablets(wire::TabletTasksReply& reply, const wire::DropTabletsRequest& request)
        override {
        tasks_.drop_tablets(request, reply);
    }

    void publish_version(wire::TabletTasksReply& reply, const wire::PublishVersionRequest& request)
        override {
        tasks_.publish_version(request, reply);
    }

    void clear_transactions(wire::StatusReply& reply, const wire::ClearTransactionsRequest& request)
        override {
        tasks_.clear_transactions(request, reply);
    }

    void delete_data(wire::TabletTasksReply& reply, const wire::DeleteDataRequest& request)
        override {
        tasks_.delete_data(request, reply);
    }

    void alter_tablets(wire::TabletTasksReply& reply, const wire::AlterTabletsRequest& request)
        override {
        tasks_.alter_tablets(request, reply);
    }

    void alter_progress(
        std::vector<wire::AlterProgress>& progress, const std::vector<int64_t>& shadow_tablet_ids
    ) override {
        tasks_.alter_progress(shadow_tablet_ids, progress);
    }

    void cancel_alter(wire::StatusReply& reply, const std::string& token, int64_t job_id) override {
        tasks_.cancel_alter(token, job_id, reply);
    }

    void get_tablet_statistics(
        wire::TabletStatistics& statistics,
        const std::vector<int64_t>& tablet_ids,
        const std::vector<int32_t>& column_unique_ids
    ) override {
        tasks_.tablet_statistics(tablet_ids, column_unique_ids, statistics);
    }

private:
    TabletTasks& tasks_;
};

class HeartbeatAdapter final : public wire::HeartbeatServiceIf {
public:
    explicit HeartbeatAdapter(HeartbeatHandler& heartbeats) : heartbeats_(heartbeats) {}

    void heartbeat(wire::HeartbeatReply& reply, const wire::HeartbeatRequest& request) override {
        heartbeats_.heartbeat(request, reply);
    }

private:
    HeartbeatHandler& heartbeats_;
};

}  // namespace

struct ThriftServer::State {
    std::string name;
    std::shared_ptr<apache::thrift::TProcessor> processor;
    std::shared_ptr<TServerSocket> socket;
    std::shared_ptr<TThreadedServer> server;
    std::thread thread;
    int port = 0;
};

ThriftServer::ThriftServer(std::string name, std::shared_ptr<apache::thrift::TProcessor> processor)
    : state_(std::make_unique<State>()) {
    state_->name = std::move(name);
    state_->processor = std::move(processor);
}

ThriftServer::~ThriftServer() {
    stop();
}

Status ThriftServer::start(const std::string& host, int port, int max_connections) {
    state_->socket = std::make_shared<TServerSocket>(host, port);
    state_->socket->setRecvTimeout(kConnectionIdleMs);
    state_->socket->setSendTimeout(kConnectionIdleMs);
    state_->socket->setKeepAlive(true);
    auto protocol =
        std::make_shared<TBinaryProtocolFactory>(kMaxStringBytes, kMaxElements, true, true);
    state_->server = std::make_shared<TThreadedServer>(
        state_->processor, state_->socket, std::make_shared<TBufferedTransportFactory>(), protocol
    );
    state_->server->setConcurrentClientLimit(max_connections);
    auto signal = std::make_shared<ListenSignal>();
    auto listening = signal->listening().get_future();
    state_->server->setServerEventHandler(signal);
    state_->thread = std::thread([this, signal] {
        set_thread_name(state_->name);
        try {
            state_->server->serve();
        } catch (const std::exception& e) {
            LOG_ERROR("Thrift service ended service={} reason={}", state_->name, e.what());
            try {
                signal->listening().set_value(false);
            } catch (const std::future_error&) {
                // It had been listening: the signal was given already.
                return;
            }
        }
    });
    if (!listening.get()) {
        state_->thread.join();
        return Status::error(
            ErrorCode::kIoError, "cannot listen on {} port {}: is it in use?", state_->name, port
        );
    }
    state_->port = state_->socket->getPort();
    return {};
}

int ThriftServer::port() const {
    return state_->port;
}

void ThriftServer::stop() {
    if (state_->thread.joinable()) {
        state_->server->stop();
        state_->thread.join();
    }
}

std::shared_ptr<apache::thrift::TProcessor> make_backend_processor(TabletTasks& tasks) {
    return std::make_shared<wire::BackendServiceProcessor>(std::make_shared<BackendAdapter>(tasks));
}

std::shared_ptr<apache::thrift::TProcessor> make_heartbeat_processor(HeartbeatHandler& heartbeats) {
    return std::make_shared<wire::HeartbeatServiceProcessor>(
        std::make_shared<HeartbeatAdapter>(heartbeats)
    );
}

}  // namespace thetis
