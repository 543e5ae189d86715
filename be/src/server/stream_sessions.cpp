// SPDX-License-Identifier: Apache-2.0
#include "server/stream_sessions.h"

#include "load/remote_writer_session.h"
#include "query/fragment_manager.h"
#include "server/rpc_call.h"
#include "wire/status_codec.h"

namespace thetis {

namespace {

QueryId id_from(const pb::QueryId& id) {
    return {static_cast<int64_t>(id.high()), static_cast<int64_t>(id.low())};
}

pb::ResultChunk to_proto_chunk(FetchedChunk chunk) {
    pb::ResultChunk out;
    to_proto(chunk.status, *out.mutable_status());
    out.set_packets(std::move(chunk.packets));
    out.set_num_rows(chunk.num_rows);
    out.set_eos(chunk.eos);
    if (chunk.eos) {
        auto* load = out.mutable_load();
        load->set_loaded_rows(chunk.load.loaded_rows);
        load->set_filtered_rows(chunk.load.filtered_rows);
        load->set_unselected_rows(chunk.load.unselected_rows);
        load->set_loaded_bytes(chunk.load.loaded_bytes);
        load->set_error_url(chunk.load.error_url);
        load->set_first_error(chunk.load.first_error);
        for (const auto& commit : chunk.load.tablets) {
            auto* tablet = load->add_tablets();
            tablet->set_tablet_id(commit.tablet_id);
            tablet->set_backend_id(commit.backend_id);
        }
        out.set_scan_rows(chunk.scan_rows);
        out.set_scan_bytes(chunk.scan_bytes);
        out.set_cpu_nanos(chunk.cpu_nanos);
        out.set_peak_memory_bytes(chunk.peak_memory_bytes);
        out.set_profile(std::move(chunk.profile));
    }
    return out;
}

class FetchSession final : public StreamSession<pb::FetchRequest>,
                           public std::enable_shared_from_this<FetchSession> {
public:
    FetchSession(FragmentManager& fragments, std::shared_ptr<ReplyStream<pb::ResultChunk>> replies)
        : fragments_(fragments), replies_(std::move(replies)) {}

    void on_request(const pb::FetchRequest& request) override {
        query_id_ = id_from(request.query_id());
        result_ = fragments_.result(query_id_);
        if (result_ == nullptr) {
            FetchedChunk missing;
            missing.status = Status::error(
                ErrorCode::kNotFound, "query {} is not on this back end", query_id_.to_string()
            );
            missing.eos = true;
            is_last_ = true;
            replies_->write(to_proto_chunk(std::move(missing)));
            replies_->end();
            return;
        }
        fetch();
    }

    void on_half_close() override {}

    void on_written() override {
        if (!is_last_) {
            fetch();
        }
    }

    void on_disconnect(bool) override {
        if (result_ != nullptr) {
            fragments_.release(query_id_);
        }
    }

private:
    void fetch() {
        result_->fetch([self = shared_from_this()](FetchedChunk chunk) {
            bool last = chunk.eos || !chunk.status.ok();
            chunk.eos = last;
            self->is_last_ = last;
            self->replies_->write(to_proto_chunk(std::move(chunk)));
            if (last) {
                self->replies_->end();
            }
        });
    }

    FragmentManager& fragments_;
    std::shared_ptr<ReplyStream<pb::ResultChunk>> replies_;
    QueryId query_id_;
    std::shared_ptr<ResultBuffer> result_;
    std::atomic<bool> is_last_{false};  // Set before the write whose completion reads it.
};

class TransmitSession final : public StreamSession<pb::TransmitRequest>,
                              public std::enable_shared_from_this<TransmitSession> {
public:
    TransmitSession(
        FragmentManager& fragments, std::shared_ptr<ReplyStream<pb::TransmitReply>> replies
    )
        : fragments_(fragments), replies_(std::move(replies)) {}

    void on_request(const pb::TransmitRequest& request) override {
        TransmitPiece piece;
        piece.query_id = id_from(request.query_id());
        piece.fragment_id = request.fragment_id();
        piece.exchange_id = request.exchange_id();
        piece.sender_id = request.sender_id();
        piece.sequence = request.sequence();
        piece.batch = request.batch();
        piece.eos = request.eos();
        piece.status = from_proto(request.status());
        pending_.fetch_add(1);
        fragments_.receive(std::move(piece), [self = shared_from_this()](const TransmitAck& ack) {
            pb::TransmitReply reply;
            to_proto(ack.status, *reply.mutable_status());
            reply.set_acknowledged(ack.acknowledged);
            reply.set_receiver_done(ack.receiver_done);
            self->replies_->write(std::move(reply));
            self->finish_one();
        });
    }

    void on_half_close() override { finish_one(); }

    void on_disconnect(bool) override {}

private:
    /// The stream ends when the sender has half-closed and every piece was answered; the half-close
    /// counts as one.
    void finish_one() {
        if (pending_.fetch_sub(1) == 1) {
            replies_->end();
        }
    }

    FragmentManager& fragments_;
    std::shared_ptr<ReplyStream<pb::TransmitReply>> replies_;
    std::atomic<int64_t> pending_{1};
};

class WriterSession final : public StreamSession<pb::WriterRequest> {
public:
    WriterSession(LoadChannels& loads, const std::shared_ptr<ReplyStream<pb::WriterReply>>& replies)
        : session_(std::make_shared<RemoteWriterSession>(
              loads,
              [replies](pb::WriterReply reply, bool last) {
                  replies->write(std::move(reply));
                  if (last) {
                      replies->end();
                  }
              }
          )) {}

    void on_request(const pb::WriterRequest& request) override { session_->on_request(request); }

    void on_half_close() override { session_->on_half_close(); }

    void on_disconnect(bool) override { session_->on_disconnect(); }

private:
    std::shared_ptr<RemoteWriterSession> session_;
};

}  // namespace

std::shared_ptr<StreamSession<pb::FetchRequest>> make_fetch_session(
    FragmentManager& fragments, std::shared_ptr<ReplyStream<pb::ResultChunk>> replies
) {
    return std::make_shared<FetchSession>(fragments, std::move(replies));
}

std::shared_ptr<StreamSession<pb::TransmitRequest>> make_transmit_session(
    FragmentManager& fragments, std::shared_ptr<ReplyStream<pb::TransmitReply>> replies
) {
    return std::make_shared<TransmitSession>(fragments, std::move(replies));
}

std::shared_ptr<StreamSession<pb::WriterRequest>> make_writer_session(
    LoadChannels& loads, std::shared_ptr<ReplyStream<pb::WriterReply>> replies
) {
    return std::make_shared<WriterSession>(loads, replies);
}

}  // namespace thetis
