// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include <grpcpp/server_context.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/async_unary_call.h>

#include "wire/completion_queues.h"

namespace thetis {

/// Holds a call while one operation of it is outstanding, and tells it when the operation ended.
template <typename Call>
class CallOperation final : public CompletionTag {
public:
    using Done = void (Call::*)(bool);

    CallOperation(Call* call, Done done) : call_(call), done_(done) {}

    void arm(std::shared_ptr<Call> hold) { hold_ = std::move(hold); }

    void proceed(bool ok) override {
        auto hold = std::move(hold_);  // The call may go when this returns.
        (call_->*done_)(ok);
    }

private:
    Call* call_;
    Done done_;
    std::shared_ptr<Call> hold_;
};

/// One request, one reply. The handler runs on the completion-queue thread and must not block.
template <typename Request, typename Reply>
class UnaryCall final : public std::enable_shared_from_this<UnaryCall<Request, Reply>> {
public:
    using Writer = grpc::ServerAsyncResponseWriter<Reply>;
    /// Asks the service for the next call of the method.
    using Ask = std::function<
        void(grpc::ServerContext*, Request*, Writer*, grpc::ServerCompletionQueue*, void*)>;
    using Handler = std::function<void(const Request&, Reply&)>;

    /// Serves calls of one method on one queue until it is shut down.
    static void serve(
        std::shared_ptr<const Ask> ask,
        std::shared_ptr<const Handler> handler,
        grpc::ServerCompletionQueue* queue
    ) {
        auto call = std::make_shared<UnaryCall>(std::move(ask), std::move(handler), queue);
        call->arrived_.arm(call);
        (*call->ask_)(&call->context_, &call->request_, &call->writer_, queue, &call->arrived_);
    }

    UnaryCall(
        std::shared_ptr<const Ask> ask,
        std::shared_ptr<const Handler> handler,
        grpc::ServerCompletionQueue* queue
    )
        : ask_(std::move(ask)), handler_(std::move(handler)), queue_(queue), writer_(&context_) {}

private:
    void on_arrived(bool ok) {
        if (!ok) {
            return;  // The server stops.
        }
        serve(ask_, handler_, queue_);
        (*handler_)(request_, reply_);
        finished_.arm(this->shared_from_this());
        writer_.Finish(reply_, grpc::Status::OK, &finished_);
    }

    void on_finished(bool) {}

    std::shared_ptr<const Ask> ask_;
    std::shared_ptr<const Handler> handler_;
    grpc::ServerCompletionQueue* queue_;
    grpc::ServerContext context_;
    Writer writer_;
    Request request_;
    Reply reply_;
    CallOperation<UnaryCall> arrived_{this, &UnaryCall::on_arrived};
    CallOperation<UnaryCall> finished_{this, &UnaryCall::on_finished};
};

/// Where a stream's session puts its replies. Thread-safe, never blocks; ignored after the end.
template <typename Reply>
class ReplyStream {
public:
    virtual ~ReplyStream() = default;
    virtual void write(Reply reply) = 0;
    /// Ends the stream after what is queued.
    virtual void end() = 0;
    /// Replies queued and not yet sent.
    virtual size_t num_queued() = 0;
};

/// What serves one stream; requests come in order, from one thread at a time.
template <typename Request>
class StreamSession {
public:
    virtual ~StreamSession() = default;
    virtual void on_request(const Request& request) = 0;
    /// The client sends no more.
    virtual void on_half_close() = 0;
    /// The last reply was sent, or the client is gone. Called once, last.
    virtual void on_disconnect(bool is_broken) = 0;

    /// A reply went out; there may be room for more.
    virtual void on_written() {}
};

/// A stream of requests in, a stream of replies out.
template <typename Request, typename Reply>
class BidiCall final : public ReplyStream<Reply>,
                       public std::enable_shared_from_this<BidiCall<Request, Reply>> {
public:
    using Stream = grpc::ServerAsyncReaderWriter<Reply, Request>;
    using Ask =
        std::function<void(grpc::ServerContext*, Stream*, grpc::ServerCompletionQueue*, void*)>;
    using MakeSession =
        std::function<std::shared_ptr<StreamSession<Request>>(std::shared_ptr<ReplyStream<Reply>>)>;

    static void serve(
        std::shared_ptr<const Ask> ask,
        std::shared_ptr<const MakeSession> make,
        grpc::ServerCompletionQueue* queue
    ) {
        auto call = std::make_shared<BidiCall>(std::move(ask), std::move(make), queue);
        call->arrived_.arm(call);
        call->gone_.arm(call);
        call->context_.AsyncNotifyWhenDone(&call->gone_);
        (*call->ask_)(&call->context_, &call->stream_, queue, &call->arrived_);
    }

    BidiCall(
        std::shared_ptr<const Ask> ask,
        std::shared_ptr<const MakeSession> make,
        grpc::ServerCompletionQueue* queue
    )
        : ask_(std::move(ask)), make_(std::move(make)), queue_(queue), stream_(&context_) {}

    void write(Reply reply) override {
        std::lock_guard lock(mutex_);
        if (ending_ || broken_) {
            return;
        }
        replies_.push_back(std::move(reply));
        pump();
    }

    void end() override {
        std::lock_guard lock(mutex_);
        ending_ = true;
        pump();
    }

    size_t num_queued() override {
        std::lock_guard lock(mutex_);
        return replies_.size();
    }

private:
    void on_arrived(bool ok) {
        if (!ok) {
            gone_.arm(nullptr);  // Never comes for a call that never came.
            return;
        }
        serve(ask_, make_, queue_);
        auto made = (*make_)(this->shared_from_this());
        {
            std::lock_guard lock(mutex_);
            session_ = std::move(made);
        }
        read_next();
    }

    std::shared_ptr<StreamSession<Request>> session() {
        std::lock_guard lock(mutex_);
        return session_;
    }

    void read_next() {
        std::lock_guard lock(mutex_);
        if (!finishing_) {
            read_.arm(this->shared_from_this());
            stream_.Read(&request_, &read_);
        }
    }

    void on_read(bool ok) {
        auto current = session();
        if (current == nullptr) {
            return;
        }
        if (ok) {
            current->on_request(request_);
            read_next();
        } else {
            current->on_half_close();
        }
    }

    void on_written(bool ok) {
        std::lock_guard lock(mutex_);
        writing_ = false;
        if (!ok) {
            break_off();
        } else {
            pump();
        }
    }

    void on_finished(bool) {}

    void on_gone(bool) {
        std::shared_ptr<StreamSession<Request>> last;
        bool is_broken;
        {
            std::lock_guard lock(mutex_);
            is_broken = context_.IsCancelled();
            if (is_broken) {
                break_off();
            }
            last =
                std::move(session_);  // The session holds this call; this is where the circle ends.
            session_ = nullptr;
        }
        if (last != nullptr) {
            last->on_disconnect(is_broken);
        }
    }

    /// Nothing reaches the client any more; mutex_ is held.
    void break_off() {
        broken_ = true;
        ending_ = true;
        replies_.clear();
        pump();
    }

    /// Starts the next write or the finish; mutex_ is held.
    void pump() {
        if (writing_ || finishing_) {
            return;
        }
        if (!replies_.empty()) {
            current_ = std::move(replies_.front());
            replies_.pop_front();
            writing_ = true;
            write_.arm(this->shared_from_this());
            stream_.Write(current_, &write_);
        } else if (ending_) {
            finishing_ = true;
            finish_.arm(this->shared_from_this());
            stream_.Finish(grpc::Status::OK, &finish_);
        }
    }

    std::shared_ptr<const Ask> ask_;
    std::shared_ptr<const MakeSession> make_;
    grpc::ServerCompletionQueue* queue_;
    grpc::ServerContext context_;
    Stream stream_;
    Request request_;
    Reply current_;

    std::mutex mutex_;  // Guards what follows and the starting of operations.
    std::shared_ptr<StreamSession<Request>> session_;
    std::deque<Reply> replies_;
    bool writing_ = false;
    bool ending_ = false;
    bool finishing_ = false;
    bool broken_ = false;

    CallOperation<BidiCall> arrived_{this, &BidiCall::on_arrived};
    CallOperation<BidiCall> gone_{this, &BidiCall::on_gone};
    CallOperation<BidiCall> read_{this, &BidiCall::on_read};
    CallOperation<BidiCall> write_{this, &BidiCall::on_written};
    CallOperation<BidiCall> finish_{this, &BidiCall::on_finished};
};

/// One request, a stream of replies; the client's disconnect is noticed at once.
template <typename Request, typename Reply>
class ServerStreamCall final
    : public ReplyStream<Reply>,
      public std::enable_shared_from_this<ServerStreamCall<Request, Reply>> {
public:
    using Writer = grpc::ServerAsyncWriter<Reply>;
    using Ask = std::function<
        void(grpc::ServerContext*, Request*, Writer*, grpc::ServerCompletionQueue*, void*)>;
    using MakeSession =
        std::function<std::shared_ptr<StreamSession<Request>>(std::shared_ptr<ReplyStream<Reply>>)>;

    static void serve(
        std::shared_ptr<const Ask> ask,
        std::shared_ptr<const MakeSession> make,
        grpc::ServerCompletionQueue* queue
    ) {
        auto call = std::make_shared<ServerStreamCall>(std::move(ask), std::move(make), queue);
        call->arrived_.arm(call);
        call->gone_.arm(call);
        call->context_.AsyncNotifyWhenDone(&call->gone_);
        (*call->ask_)(&call->context_, &call->request_, &call->writer_, queue, &call->arrived_);
    }

    ServerStreamCall(
        std::shared_ptr<const Ask> ask,
        std::shared_ptr<const MakeSession> make,
        grpc::ServerCompletionQueue* queue
    )
        : ask_(std::move(ask)), make_(std::move(make)), queue_(queue), writer_(&context_) {}

    void write(Reply reply) override {
        std::lock_guard lock(mutex_);
        if (ending_ || broken_) {
            return;
        }
        replies_.push_back(std::move(reply));
        pump();
    }

    void end() override {
        std::lock_guard lock(mutex_);
        ending_ = true;
        pump();
    }

    size_t num_queued() override {
        std::lock_guard lock(mutex_);
        return replies_.size();
    }

private:
    void on_arrived(bool ok) {
        if (!ok) {
            gone_.arm(nullptr);  // Never comes for a call that never came.
            return;
        }
        serve(ask_, make_, queue_);
        auto session = (*make_)(this->shared_from_this());
        {
            std::lock_guard lock(mutex_);
            session_ = session;
        }
        session->on_request(request_);
    }

    void on_written(bool ok) {
        {
            std::lock_guard lock(mutex_);
            writing_ = false;
            if (!ok) {
                broken_ = true;
                ending_ = true;
                replies_.clear();
            }
            pump();
        }
        std::shared_ptr<StreamSession<Request>> current;
        {
            std::lock_guard lock(mutex_);
            current = session_;
        }
        if (ok && current != nullptr) {
            current->on_written();
        }
    }

    void on_finished(bool) {}

    void on_gone(bool) {
        std::shared_ptr<StreamSession<Request>> session;
        bool is_broken;
        {
            std::lock_guard lock(mutex_);
            is_broken = context_.IsCancelled();
            if (is_broken) {
                broken_ = true;
                ending_ = true;
                replies_.clear();
                pump();
            }
            session =
                std::move(session_);  // The session holds this call; this is where the circle ends.
            session_ = nullptr;
        }
        if (session != nullptr) {
            session->on_disconnect(is_broken);
        }
    }

    void pump() {
        if (writing_ || finishing_) {
            return;
        }
        if (!replies_.empty()) {
            current_ = std::move(replies_.front());
            replies_.pop_front();
            writing_ = true;
            write_.arm(this->shared_from_this());
            writer_.Write(current_, &write_);
        } else if (ending_) {
            finishing_ = true;
            finish_.arm(this->shared_from_this());
            writer_.Finish(grpc::Status::OK, &finish_);
        }
    }

    std::shared_ptr<const Ask> ask_;
    std::shared_ptr<const MakeSession> make_;
    grpc::ServerCompletionQueue* queue_;
    grpc::ServerContext context_;
    Writer writer_;
    Request request_;
    Reply current_;

    std::mutex mutex_;  // Guards what follows and the starting of operations.
    std::shared_ptr<StreamSession<Request>> session_;
    std::deque<Reply> replies_;
    bool writing_ = false;
    bool ending_ = false;
    bool finishing_ = false;
    bool broken_ = false;

    CallOperation<ServerStreamCall> arrived_{this, &ServerStreamCall::on_arrived};
    CallOperation<ServerStreamCall> gone_{this, &ServerStreamCall::on_gone};
    CallOperation<ServerStreamCall> write_{this, &ServerStreamCall::on_written};
    CallOperation<ServerStreamCall> finish_{this, &ServerStreamCall::on_finished};
};

}  // namespace thetis
