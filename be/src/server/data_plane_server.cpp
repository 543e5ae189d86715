// SPDX-License-Identifier: Apache-2.0
#include "server/data_plane_server.h"

#include <grpc/support/log.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "base/debug_points.h"
#include "base/logging.h"
#include "base/thread/thread_pool.h"
#include "query/fragment_manager.h"
#include "server/baidu/baidu_server.h"
#include "server/port_acceptor.h"
#include "server/rpc_call.h"
#include "server/stream_sessions.h"
#include "service_fragment.grpc.pb.h"
#include "service_tablet_writer.grpc.pb.h"
#include "wire/status_codec.h"

namespace thetis {

namespace {

constexpr auto kStopDeadline = std::chrono::seconds(2);
constexpr int kKeepAliveTimeMs = 20'000;
constexpr int kKeepAliveTimeoutMs = 10'000;
// Calls of one method that may arrive on one queue before the first of them is picked up.
constexpr int kCallsWaiting = 16;

QueryId id_from(const pb::QueryId& id) {
    return {static_cast<int64_t>(id.high()), static_cast<int64_t>(id.low())};
}

using FragmentRpc = pb::FragmentService::AsyncService;
using WriterRpc = pb::TabletWriterService::AsyncService;

}  // namespace

struct DataPlaneServer::State {
    FragmentManager& fragments;
    LoadChannels& loads;
    DebugPoints* debug_points;
    BaiduServer* small_calls;
    FragmentRpc fragment_service;
    WriterRpc writer_service;
    std::vector<std::unique_ptr<grpc::ServerCompletionQueue>> queues;
    std::unique_ptr<grpc::Server> server;
    std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> grpc_connections;
    std::unique_ptr<PortAcceptor> acceptor;
    std::vector<std::thread> threads;
    int port = 0;

    State(
        FragmentManager& fragment_manager,
        LoadChannels& load_channels,
        DebugPoints* points,
        BaiduServer* small_call_server
    )
        : fragments(fragment_manager),
          loads(load_channels),
          debug_points(points),
          small_calls(small_call_server) {}

    void serve_grpc(int socket) {
        grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
        connection.fd = socket;
        grpc_connections->HandleNewConnection(&connection);
    }

    /// The port opens last, when whoever connects can be served.
    Status listen(const std::string& host, int wanted_port) {
        PortAcceptor::Routes routes;
        routes.other = [this](int socket) { serve_grpc(socket); };
        routes.baidu_std = routes.other;
        if (small_calls != nullptr) {
            routes.baidu_std = [this](int socket) { small_calls->serve(socket); };
        }
        PortAcceptor::Options options;
        options.user_timeout_ms = kKeepAliveTimeoutMs;
        acceptor = std::make_unique<PortAcceptor>(std::move(routes), options);
        RETURN_IF_ERROR(acceptor->start(host, wanted_port));
        port = acceptor->port();
        return {};
    }

    template <typename Request, typename Reply, typename Method>
    void serve_unary(Method method, std::function<Status(const Request&)> handle) {
        using Call = UnaryCall<Request, Reply>;
        auto ask =
            std::make_shared<const typename Call::Ask>([this, method](
                                                           grpc::ServerContext* context,
                                                           Request* request,
                                                           typename Call::Writer* writer,
                                                           grpc::ServerCompletionQueue* queue,
                                                           void* tag
                                                       ) {
                (fragment_service.*method)(context, request, writer, queue, queue, tag);
            });
        auto handler =
            std::make_shared<const typename Call::Handler>([handle = std::move(handle)](
                                                               const Request& request, Reply& reply
                                                           ) { to_proto(handle(request), reply); });
        for (auto& queue : queues) {
            for (int i = 0; i < kCallsWaiting; ++i) {
                Call::serve(ask, handler, queue.get());
            }
        }
    }

    template <typename Call, typename Service, typename Method>
    void serve_bidi(Service& service, Method method, typename Call::MakeSession make_session) {
        auto ask =
            std::make_shared<const typename Call::Ask>([&service, method](
                                                           grpc::ServerContext* context,
                                                           typename Call::Stream* stream,
                                                           grpc::ServerCompletionQueue* queue,
                                                           void* tag
                                                       ) {
                (service.*method)(context, stream, queue, queue, tag);
            });
        auto make = std::make_shared<const typename Call::MakeSession>(std::move(make_session));
        for (auto& queue : queues) {
            for (int i = 0; i < kCallsWaiting; ++i) {
                Call::serve(ask, make, queue.get());
            }
        }
    }

    void serve_fetch() {
        using Call = ServerStreamCall<pb::FetchRequest, pb::ResultChunk>;
        auto ask = std::make_shared<const Call::Ask>([this](
                                                         grpc::ServerContext* context,
                                                         pb::FetchRequest* request,
                                                         Call::Writer* writer,
                                                         grpc::ServerCompletionQueue* queue,
                                                         void* tag
                                                     ) {
            fragment_service.RequestFetch(context, request, writer, queue, queue, tag);
        });
        auto make = std::make_shared<const Call::MakeSession>(
            [this](std::shared_ptr<ReplyStream<pb::ResultChunk>> replies) {
                return make_fetch_session(fragments, std::move(replies));
            }
        );
        for (auto& queue : queues) {
            for (int i = 0; i < kCallsWaiting; ++i) {
                Call::serve(ask, make, queue.get());
            }
        }
    }

    void serve_all() {
        serve_unary<pb::PrepareRequest, pb::StatusReply>(
            &FragmentRpc::RequestPrepare,
            [this](const pb::PrepareRequest& request) {
                return fragments.prepare_bytes(request.exec_plan(), request.start());
            }
        );
        serve_unary<pb::StartRequest, pb::StatusReply>(
            &FragmentRpc::RequestStart,
            [this](const pb::StartRequest& request) {
                if (debug_points != nullptr && debug_points->hit("FragmentService.start.ignore")) {
                    return Status();
                }
                return fragments.start(id_from(request.query_id()));
            }
        );
        serve_unary<pb::CancelRequest, pb::StatusReply>(
            &FragmentRpc::RequestCancel,
            [this](const pb::CancelRequest& request) {
                auto code = request.code() == 0 ? ErrorCode::kCancelled
                                                : static_cast<ErrorCode>(request.code());
                fragments.cancel(id_from(request.query_id()), Status(code, request.reason()));
                return Status();
            }
        );
        serve_fetch();
        serve_bidi<BidiCall<pb::TransmitRequest, pb::TransmitReply>>(
            fragment_service,
            &FragmentRpc::RequestTransmit,
            [this](std::shared_ptr<ReplyStream<pb::TransmitReply>> replies) {
                return make_transmit_session(fragments, std::move(replies));
            }
        );
        serve_bidi<BidiCall<pb::WriterRequest, pb::WriterReply>>(
            writer_service,
            &WriterRpc::RequestWrite,
            [this](std::shared_ptr<ReplyStream<pb::WriterReply>> replies) {
                return make_writer_session(loads, std::move(replies));
            }
        );
    }
};

DataPlaneServer::DataPlaneServer(
    FragmentManager& fragments,
    LoadChannels& loads,
    DebugPoints* debug_points,
    BaiduServer* small_calls
)
    : state_(std::make_unique<State>(fragments, loads, debug_points, small_calls)) {}

DataPlaneServer::~DataPlaneServer() {
    stop();
}

Status DataPlaneServer::start(
    const std::string& host, int port, int num_threads, int64_t max_message_bytes
) {
    // gRPC's own lines belong in our log, not on the terminal.
    gpr_set_log_function([](gpr_log_func_args* line) {
        if (line->severity == GPR_LOG_SEVERITY_ERROR) {
            LOG_WARN("gRPC: {}", line->message);
        }
    });
    grpc::ServerBuilder builder;
    state_->grpc_connections = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
        grpc::InsecureServerCredentials()
    );
    builder.RegisterService(&state_->fragment_service);
    builder.RegisterService(&state_->writer_service);
    int limit = static_cast<int>(std::min<int64_t>(max_message_bytes, INT32_MAX));
    builder.SetMaxReceiveMessageSize(limit);
    builder.SetMaxSendMessageSize(limit);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepAliveTimeMs);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepAliveTimeoutMs);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5000);
    for (int i = 0; i < num_threads; ++i) {
        state_->queues.push_back(builder.AddCompletionQueue());
    }
    state_->server = builder.BuildAndStart();
    if (state_->server == nullptr) {
        return Status::error(ErrorCode::kInternal, "gRPC does not start");
    }
    state_->serve_all();
    for (auto& queue : state_->queues) {
        state_->threads.emplace_back([pointer = queue.get()] {
            set_thread_name("data_plane");
            poll_completions(*pointer);
        });
    }
    return state_->listen(host, port);
}

int DataPlaneServer::port() const {
    return state_->port;
}

void DataPlaneServer::stop() {
    if (state_->acceptor != nullptr) {
        state_->acceptor->stop();
    }
    if (state_->server == nullptr) {
        for (auto& queue : state_->queues) {
            queue->Shutdown();
            poll_completions(*queue);
        }
        state_->queues.clear();
        return;
    }
    state_->server->Shutdown(std::chrono::system_clock::now() + kStopDeadline);
    for (auto& queue : state_->queues) {
        queue->Shutdown();
    }
    for (auto& thread : state_->threads) {
        thread.join();
    }
    state_->threads.clear();
    state_->server = nullptr;
    state_->queues.clear();
}

}  // namespace thetis
