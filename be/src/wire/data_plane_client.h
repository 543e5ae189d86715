// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "wire/message_stream.h"

namespace thetis::pb {
class CancelRequest;
class TransmitReply;
class TransmitRequest;
class WriterReply;
class WriterRequest;
}  // namespace thetis::pb

namespace thetis {

using TransmitStream = MessageStream<pb::TransmitRequest, pb::TransmitReply>;
using WriterStream = MessageStream<pb::WriterRequest, pb::WriterReply>;

/// Opens streams to other back ends' data plane. Owns the channels and the completion-queue
/// threads; destroyed after all of its streams ended (cancel them first). Thread-safe.
class DataPlaneClient {
public:
    DataPlaneClient(int num_threads, int64_t max_message_bytes);
    ~DataPlaneClient();

    std::shared_ptr<TransmitStream> open_transmit(
        const std::string& host, int port, int64_t timeout_ms, TransmitStream::Listener listener
    );
    std::shared_ptr<WriterStream> open_writer(
        const std::string& host, int port, int64_t timeout_ms, WriterStream::Listener listener
    );

    /// Sends a cancel and forgets it; the receiver's own deadline is the fallback.
    void cancel_query(const std::string& host, int port, const pb::CancelRequest& request);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace thetis
