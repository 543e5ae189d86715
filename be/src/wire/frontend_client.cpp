// SPDX-License-Identifier: Apache-2.0
#include "wire/frontend_client.h"

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TSocket.h>

#include "FrontendService.h"
#include "wire/status_codec.h"

namespace thetis {

namespace {

using apache::thrift::protocol::TBinaryProtocol;
using apache::thrift::transport::TBufferedTransport;
using apache::thrift::transport::TSocket;

constexpr size_t kMaxIdlePerAddress = 16;
constexpr int kMaxConnectMs = 5000;

}  // namespace

struct FrontendClient::Connection {
    std::shared_ptr<TSocket> socket;
    std::shared_ptr<TBufferedTransport> transport;
    std::unique_ptr<wire::FrontendServiceClient> client;

    explicit Connection(const ServiceAddress& fe)
        : socket(std::make_shared<TSocket>(fe.host, fe.port)),
          transport(std::make_shared<TBufferedTransport>(socket)),
          client(std::make_unique<wire::FrontendServiceClient>(
              std::make_shared<TBinaryProtocol>(transport)
          )) {}

    void set_timeout(int timeout_ms) {
        socket->setConnTimeout(std::min(timeout_ms, kMaxConnectMs));
        socket->setSendTimeout(timeout_ms);
        socket->setRecvTimeout(timeout_ms);
    }
};

FrontendClient::FrontendClient() = default;
FrontendClient::~FrontendClient() = default;

std::unique_ptr<FrontendClient::Connection> FrontendClient::take_idle(const ServiceAddress& fe) {
    std::lock_guard lock(mutex_);
    auto& pool = idle_[fe.to_string()];
    if (pool.empty()) {
        return nullptr;
    }
    auto connection = std::move(pool.back());
    pool.pop_back();
    return connection;
}

void FrontendClient::give_back(const ServiceAddress& fe, std::unique_ptr<Connection> connection) {
    std::lock_guard lock(mutex_);
    auto& pool = idle_[fe.to_string()];
    if (pool.size() < kMaxIdlePerAddress) {
        pool.push_back(std::move(connection));
    }
}

template <typename Call>
Status FrontendClient::call(
    const ServiceAddress& fe, int timeout_ms, const char* method, Call&& body
) {
    auto connection = take_idle(fe);
    for (;;) {
        bool pooled = connection != nullptr;
        try {
            if (!pooled) {
                connection = std::make_unique<Connection>(fe);
                connection->set_timeout(timeout_ms);
                connection->transport->open();
            } else {
                connection->set_timeout(timeout_ms);
            }
            body(*connection->client);
            give_back(fe, std::move(connection));
            return {};
        } catch (const apache::thrift::transport::TTransportException& e) {
            connection.reset();
            if (pooled &&
                e.getType() != apache::thrift::transport::TTransportException::TIMED_OUT) {
                continue;  // The pooled connection was stale; once more on a fresh one.
            }
            return Status::error(
                ErrorCode::kRpcError, "{} at front end {}: {}", method, fe.to_string(), e.what()
            );
        } catch (const std::exception& e) {
            return Status::error(
                ErrorCode::kRpcError, "{} at front end {}: {}", method, fe.to_string(), e.what()
            );
        }
    }
}

Status FrontendClient::register_backend(
    const ServiceAddress& fe,
    const wire::RegisterBackendRequest& request,
    int timeout_ms,
    wire::RegisterBackendReply& reply
) {
    RETURN_IF_ERROR(call(fe, timeout_ms, "register_backend", [&](auto& client) {
        client.register_backend(reply, request);
    }));
    return from_thrift(reply.status);
}

Status FrontendClient::report(
    const ServiceAddress& fe, const wire::ReportRequest& request, int timeout_ms
) {
    wire::StatusReply reply;
    RETURN_IF_ERROR(call(fe, timeout_ms, "report", [&](auto& client) {
        client.report(reply, request);
    }));
    return from_thrift(reply);
}

Status FrontendClient::load_begin(
    const ServiceAddress& fe,
    const wire::LoadBeginRequest& request,
    int timeout_ms,
    wire::LoadBeginReply& reply
) {
    RETURN_IF_ERROR(call(fe, timeout_ms, "load_begin", [&](auto& client) {
        client.load_begin(reply, request);
    }));
    return from_thrift(reply.status);
}

Status FrontendClient::load_commit(
    const ServiceAddress& fe,
    const wire::LoadCommitRequest& request,
    int timeout_ms,
    wire::LoadCommitReply& reply
) {
    RETURN_IF_ERROR(call(fe, timeout_ms, "load_commit", [&](auto& client) {
        client.load_commit(reply, request);
    }));
    return from_thrift(reply.status);
}

Status FrontendClient::load_abort(
    const ServiceAddress& fe, const wire::LoadAbortRequest& request, int timeout_ms
) {
    wire::StatusReply reply;
    RETURN_IF_ERROR(call(fe, timeout_ms, "load_abort", [&](auto& client) {
        client.load_abort(reply, request);
    }));
    return from_thrift(reply);
}

Status FrontendClient::load_finish(
    const ServiceAddress& fe,
    const wire::LoadFinishRequest& request,
    int timeout_ms,
    wire::LoadFinishReply& reply
) {
    RETURN_IF_ERROR(call(fe, timeout_ms, "load_finish", [&](auto& client) {
        client.load_finish(reply, request);
    }));
    return from_thrift(reply.status);
}

}  // namespace thetis
