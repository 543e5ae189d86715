// SPDX-License-Identifier: Apache-2.0
#include "wire/channel_pool.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

namespace thetis {

std::shared_ptr<grpc::Channel> ChannelPool::get(const std::string& host, int port, Lane lane) {
    std::lock_guard lock(mutex_);
    auto& channel = channels_[{host, port, lane}];
    if (channel == nullptr) {
        grpc::ChannelArguments arguments;
        int limit = static_cast<int>(std::min<int64_t>(max_message_bytes_, INT32_MAX));
        arguments.SetMaxReceiveMessageSize(limit);
        arguments.SetMaxSendMessageSize(limit);
        // Without this, channels to one address share one connection and lanes would be in name
        // only.
        arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
        // A back end that restarts is found again quickly.
        arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
        // By its name a pause; in truth the time one attempt to connect has, SETTINGS frame
        // included.
        arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 5000);
        arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
        // A peer that vanished without a FIN ends the streams to it.
        arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20000);
        arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10000);
        arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
        std::string target = host.find(':') == std::string::npos
                                 ? host + ":" + std::to_string(port)
                                 : "[" + host + "]:" + std::to_string(port);
        channel = grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
    }
    return channel;
}

}  // namespace thetis
