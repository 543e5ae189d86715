// SPDX-License-Identifier: Apache-2.0
#include "wire/data_plane_client.h"

#include "service_fragment.grpc.pb.h"
#include "service_tablet_writer.grpc.pb.h"
#include "wire/bidi_client_stream.h"
#include "wire/channel_pool.h"

namespace thetis {

namespace {

constexpr int kCancelDeadlineSeconds = 5;

std::chrono::system_clock::time_point deadline_after(int64_t timeout_ms) {
    return std::chrono::system_clock::now() + std::chrono::milliseconds(timeout_ms);
}

/// A cancel on its way; deletes itself when the reply or the deadline comes.
class CancelCall final : public CompletionTag {
public:
    void start(
        pb::FragmentService::Stub& stub,
        const pb::CancelRequest& request,
        grpc::CompletionQueue* queue
    ) {
        context_.set_deadline(
            std::chrono::system_clock::now() + std::chrono::seconds(kCancelDeadlineSeconds)
        );
        reader_ = stub.AsyncCancel(&context_, request, queue);
        reader_->Finish(&reply_, &status_, this);
    }

    void proceed(bool) override { std::unique_ptr<CancelCall> self(this); }

private:
    grpc::ClientContext context_;
    pb::StatusReply reply_;
    grpc::Status status_;
    std::unique_ptr<grpc::ClientAsyncResponseReader<pb::StatusReply>> reader_;
};

}  // namespace

Status status_of_call(const grpc::Status& status, const std::string& peer) {
    switch (status.error_code()) {
        case grpc::StatusCode::OK:
            return {};
        case grpc::StatusCode::CANCELLED:
            return Status::error(
                ErrorCode::kCancelled, "stream to back end {} was cancelled", peer
            );
        case grpc::StatusCode::DEADLINE_EXCEEDED:
            return Status::error(
                ErrorCode::kTimeout, "stream to back end {} passed its deadline", peer
            );
        default:
            return Status::error(
                ErrorCode::kRpcError, "back end {}: {}", peer, status.error_message()
            );
    }
}

struct DataPlaneClient::State {
    State(int num_threads, int64_t max_message_bytes)
        : channels(max_message_bytes), queues(num_threads) {}

    ChannelPool channels;
    CompletionQueues queues;  // Last, so that its threads end first.
};

DataPlaneClient::DataPlaneClient(int num_threads, int64_t max_message_bytes)
    : state_(std::make_unique<State>(num_threads, max_message_bytes)) {}

DataPlaneClient::~DataPlaneClient() = default;

std::shared_ptr<TransmitStream> DataPlaneClient::open_transmit(
    const std::string& host, int port, int64_t timeout_ms, TransmitStream::Listener listener
) {
    auto stub = pb::FragmentService::NewStub(state_->channels.get(host, port, Lane::kExchange));
    auto stream = std::make_shared<BidiClientStream<pb::TransmitRequest, pb::TransmitReply>>(
        host + ":" + std::to_string(port), std::move(listener)
    );
    stream->start(deadline_after(timeout_ms), [&](grpc::ClientContext* context) {
        return stub->PrepareAsyncTransmit(context, state_->queues.next());
    });
    return stream;
}

std::shared_ptr<WriterStream> DataPlaneClient::open_writer(
    const std::string& host, int port, int64_t timeout_ms, WriterStream::Listener listener
) {
    auto stub = pb::TabletWriterService::NewStub(state_->channels.get(host, port, Lane::kLoad));
    auto stream = std::make_shared<BidiClientStream<pb::WriterRequest, pb::WriterReply>>(
        host + ":" + std::to_string(port), std::move(listener)
    );
    stream->start(deadline_after(timeout_ms), [&](grpc::ClientContext* context) {
        return stub->PrepareAsyncWrite(context, state_->queues.next());
    });
    return stream;
}

void DataPlaneClient::cancel_query(
    const std::string& host, int port, const pb::CancelRequest& request
) {
    auto stub = pb::FragmentService::NewStub(state_->channels.get(host, port, Lane::kControl));
    auto call = std::make_unique<CancelCall>();
    call->start(*stub, request, state_->queues.next());
    call.release();  // Owned by its pending operation.
}

}  // namespace thetis
