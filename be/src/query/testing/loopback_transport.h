// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "exec/exchange/exchange_transport.h"
#include "query/fragment_manager.h"

namespace thetis::testing {

/// Carries pieces between fragment managers of one process over a thread of its own, as a network
/// would.
class LoopbackTransport final : public ExchangeTransport {
public:
    LoopbackTransport() : thread_([this] { run(); }) {}

    ~LoopbackTransport() override { stop(); }

    void add_backend(int64_t id, FragmentManager& manager) { managers_[id] = &manager; }

    void stop() {
        {
            std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        wakeup_.notify_all();
        if (thread_.joinable()) {
            thread_.join();
        }
    }

    std::unique_ptr<ExchangeChannel> open(const ExchangeAddress& address) override {
        return std::make_unique<Channel>(*this, address.backend_id);
    }

private:
    class Channel final : public ExchangeChannel {
    public:
        Channel(LoopbackTransport& transport, int64_t backend)
            : transport_(transport), backend_(backend) {}

        void send(TransmitPiece piece, TransmitCallback acknowledged) override {
            transport_.push({backend_, std::move(piece), std::move(acknowledged)});
        }

    private:
        LoopbackTransport& transport_;
        int64_t backend_;
    };

    struct Message {
        int64_t backend = 0;
        TransmitPiece piece;
        TransmitCallback acknowledged;
    };

    void push(Message message) {
        {
            std::lock_guard lock(mutex_);
            messages_.push_back(std::move(message));
        }
        wakeup_.notify_one();
    }

    void run() {
        while (true) {
            Message message;
            {
                std::unique_lock lock(mutex_);
                wakeup_.wait(lock, [this] { return stopping_ || !messages_.empty(); });
                if (messages_.empty()) {
                    return;
                }
                message = std::move(messages_.front());
                messages_.pop_front();
            }
            auto found = managers_.find(message.backend);
            if (found == managers_.end()) {
                message.acknowledged(
                    {Status(ErrorCode::kRpcError, "no such back end"), message.piece.sequence, false
                    }
                );
            } else {
                found->second->receive(std::move(message.piece), std::move(message.acknowledged));
            }
        }
    }

    std::map<int64_t, FragmentManager*> managers_;
    std::mutex mutex_;  // Guards messages_ and stopping_.
    std::condition_variable wakeup_;
    std::deque<Message> messages_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace thetis::testing
