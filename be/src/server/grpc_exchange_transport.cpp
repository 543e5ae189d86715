// SPDX-License-Identifier: Apache-2.0
#include "server/grpc_exchange_transport.h"

#include <map>

#include "base/debug_points.h"
#include "base/thread/mutex.h"
#include "service_fragment.pb.h"
#include "wire/data_plane_client.h"
#include "wire/status_codec.h"

namespace thetis {

namespace {

/// What the stream's callbacks need; outlives the channel while the stream winds down.
class ChannelState : public std::enable_shared_from_this<ChannelState> {
public:
    void open(DataPlaneClient& client, const ExchangeAddress& address) {
        auto now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                          std::chrono::system_clock::now().time_since_epoch()
        )
                          .count();
        TransmitStream::Listener listener;
        listener.on_reply = [self = shared_from_this()](const pb::TransmitReply& reply) {
            self->on_reply(reply);
        };
        listener.on_done = [self = shared_from_this()](const Status& status) {
            self->on_done(status);
        };
        auto stream = client.open_transmit(
            address.host,
            address.port,
            std::max<int64_t>(1, address.deadline_ms - now_ms),
            std::move(listener)
        );
        MutexLock lock(mutex_);
        stream_ = std::move(stream);
    }

    void send(TransmitPiece piece, TransmitCallback acknowledged) {
        pb::TransmitRequest request;
        request.mutable_query_id()->set_high(static_cast<uint64_t>(piece.query_id.hi));
        request.mutable_query_id()->set_low(static_cast<uint64_t>(piece.query_id.lo));
        request.set_fragment_id(piece.fragment_id);
        request.set_exchange_id(piece.exchange_id);
        request.set_sender_id(piece.sender_id);
        request.set_sequence(piece.sequence);
        request.set_batch(std::move(piece.batch));
        request.set_eos(piece.eos);
        to_proto(piece.status, *request.mutable_status());
        MutexLock lock(mutex_);
        if (ended_) {
            TransmitAck ack{final_, piece.sequence, false};
            lock.unlock();
            acknowledged(ack);
            return;
        }
        waiting_.emplace(piece.sequence, std::move(acknowledged));
        stream_->write(std::move(request));
        if (piece.eos) {
            stream_->close_writes();
            eos_sent_ = true;
        }
    }

    /// The channel goes: a stream that said everything ends by itself, any other is broken off.
    void abandon() {
        std::shared_ptr<TransmitStream> stream;
        {
            MutexLock lock(mutex_);
            if (!ended_ && !(eos_sent_ && waiting_.empty())) {
                stream = stream_;
            }
        }
        if (stream != nullptr) {
            stream->cancel();
        }
    }

private:
    void on_reply(const pb::TransmitReply& reply) {
        TransmitCallback callback;
        {
            MutexLock lock(mutex_);
            auto found = waiting_.find(reply.acknowledged());
            if (found == waiting_.end()) {
                return;
            }
            callback = std::move(found->second);
            waiting_.erase(found);
        }
        callback({from_proto(reply.status()), reply.acknowledged(), reply.receiver_done()});
    }

    void on_done(const Status& status) {
        std::map<int64_t, TransmitCallback> waiting;
        Status final;
        {
            MutexLock lock(mutex_);
            ended_ = true;
            final_ =
                status.ok()
                    ? Status::error(ErrorCode::kRpcError, "the receiver ended the exchange stream")
                    : status;
            final = final_;
            waiting.swap(waiting_);
            stream_ = nullptr;
        }
        for (auto& [sequence, callback] : waiting) {
            callback({final, sequence, false});
        }
    }

    Mutex mutex_;  // Guards all below; not held over callbacks. Stream functions only queue.
    std::shared_ptr<TransmitStream> stream_ GUARDED_BY(mutex_);
    std::map<int64_t, TransmitCallback> waiting_ GUARDED_BY(mutex_);
    bool eos_sent_ GUARDED_BY(mutex_) = false;
    bool ended_ GUARDED_BY(mutex_) = false;
    Status final_ GUARDED_BY(mutex_);
};

class GrpcExchangeChannel final : public ExchangeChannel {
public:
    explicit GrpcExchangeChannel(std::shared_ptr<ChannelState> state) : state_(std::move(state)) {}

    ~GrpcExchangeChannel() override { state_->abandon(); }

    void send(TransmitPiece piece, TransmitCallback acknowledged) override {
        state_->send(std::move(piece), std::move(acknowledged));
    }

private:
    std::shared_ptr<ChannelState> state_;
};

}  // namespace

std::unique_ptr<ExchangeChannel> GrpcExchangeTransport::open(const ExchangeAddress& address) {
    auto state = std::make_shared<ChannelState>();
    if (debug_points_ != nullptr && debug_points_->hit("GrpcExchangeTransport.open.unreachable")) {
        ExchangeAddress nobody = address;
        nobody.port = 1;
        state->open(client_, nobody);
    } else {
        state->open(client_, address);
    }
    return std::make_unique<GrpcExchangeChannel>(std::move(state));
}

}  // namespace thetis
