// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <mutex>

#include <grpcpp/client_context.h>
#include <grpcpp/support/async_stream.h>

#include "wire/completion_queues.h"
#include "wire/message_stream.h"

namespace thetis {

Status status_of_call(const grpc::Status& status, const std::string& peer);

/// MessageStream over an asynchronous gRPC call. Keeps itself alive while an operation is
/// outstanding; at most one write and one read are outstanding at a time, as gRPC demands.
template <typename Request, typename Reply>
class BidiClientStream final
    : public MessageStream<Request, Reply>,
      public std::enable_shared_from_this<BidiClientStream<Request, Reply>> {
public:
    using Listener = typename MessageStream<Request, Reply>::Listener;
    using Stream = grpc::ClientAsyncReaderWriter<Request, Reply>;

    BidiClientStream(std::string peer, Listener listener)
        : peer_(std::move(peer)), listener_(std::move(listener)) {}

    /// `prepare(context)` returns the stub's prepared stream.
    template <typename Prepare>
    void start(std::chrono::system_clock::time_point deadline, Prepare&& prepare) {
        context_.set_deadline(deadline);
        // A back end that is down is an error now, not at the deadline.
        context_.set_wait_for_ready(false);
        stream_ = prepare(&context_);
        start_tag_.arm(this->shared_from_this());
        stream_->StartCall(&start_tag_);
    }

    void write(Request request) override {
        std::lock_guard lock(mutex_);
        if (broken_ || closing_) {
            return;
        }
        queue_.push_back(std::move(request));
        pump();
    }

    void close_writes() override {
        std::lock_guard lock(mutex_);
        closing_ = true;
        pump();
    }

    void cancel() override { context_.TryCancel(); }

private:
    /// One kind of operation; holds the stream while the operation is outstanding.
    class Operation final : public CompletionTag {
    public:
        Operation(BidiClientStream* owner, void (BidiClientStream::*done)(bool))
            : owner_(owner), done_(done) {}

        void arm(std::shared_ptr<BidiClientStream> hold) { hold_ = std::move(hold); }

        void proceed(bool ok) override {
            auto hold = std::move(hold_);  // The owner may go when this returns.
            (owner_->*done_)(ok);
        }

    private:
        BidiClientStream* owner_;
        void (BidiClientStream::*done_)(bool);
        std::shared_ptr<BidiClientStream> hold_;
    };

    void on_start(bool ok) {
        std::lock_guard lock(mutex_);
        if (!ok) {
            broken_ = true;
            finish();
            return;
        }
        started_ = true;
        read_next();
        pump();
    }

    void on_write(bool ok) {
        std::lock_guard lock(mutex_);
        writing_ = false;
        if (!ok) {
            broken_ = true;
            queue_.clear();
        }
        if (read_ended_) {
            finish();
        } else {
            pump();
        }
    }

    void on_read(bool ok) {
        if (ok) {
            listener_.on_reply(reply_);
            std::lock_guard lock(mutex_);
            read_next();
            return;
        }
        std::lock_guard lock(mutex_);
        read_ended_ = true;
        broken_ = true;
        queue_.clear();
        if (!writing_) {
            finish();
        }
    }

    void on_finish(bool) {
        Listener listener = std::move(listener_);
        listener_ = {};
        listener.on_done(status_of_call(grpc_status_, peer_));
    }

    void read_next() {
        read_tag_.arm(this->shared_from_this());
        stream_->Read(&reply_, &read_tag_);
    }

    /// Starts the next write; mutex_ is held.
    void pump() {
        if (!started_ || writing_ || broken_) {
            return;
        }
        if (!queue_.empty()) {
            current_ = std::move(queue_.front());
            queue_.pop_front();
            writing_ = true;
            write_tag_.arm(this->shared_from_this());
            stream_->Write(current_, &write_tag_);
        } else if (closing_ && !half_closed_) {
            half_closed_ = true;
            writing_ = true;
            write_tag_.arm(this->shared_from_this());
            stream_->WritesDone(&write_tag_);
        }
    }

    /// Asks for the final status; mutex_ is held and no operation is outstanding.
    void finish() {
        if (!finishing_) {
            finishing_ = true;
            finish_tag_.arm(this->shared_from_this());
            stream_->Finish(&grpc_status_, &finish_tag_);
        }
    }

    const std::string peer_;
    Listener listener_;
    grpc::ClientContext context_;
    std::unique_ptr<Stream> stream_;
    grpc::Status grpc_status_;
    Reply reply_;
    Request current_;

    std::mutex mutex_;  // Guards what follows and the starting of operations.
    std::deque<Request> queue_;
    bool started_ = false;
    bool writing_ = false;
    bool closing_ = false;
    bool half_closed_ = false;
    bool broken_ = false;
    bool read_ended_ = false;
    bool finishing_ = false;

    Operation start_tag_{this, &BidiClientStream::on_start};
    Operation write_tag_{this, &BidiClientStream::on_write};
    Operation read_tag_{this, &BidiClientStream::on_read};
    Operation finish_tag_{this, &BidiClientStream::on_finish};
};

}  // namespace thetis
