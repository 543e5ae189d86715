// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <grpcpp/completion_queue.h>

namespace thetis {

/// What a completion queue returns: an operation that ended. The tag outlives its operation and
/// decides its own fate.
class CompletionTag {
public:
    virtual ~CompletionTag() = default;
    /// `ok` as gRPC defines it for the operation. Must not block.
    virtual void proceed(bool ok) = 0;
};

/// Client completion queues with one thread each; calls are spread over them. Destroyed after every
/// call that uses it ended.
class CompletionQueues {
public:
    explicit CompletionQueues(int num_threads);
    ~CompletionQueues();
    CompletionQueues(const CompletionQueues&) = delete;
    CompletionQueues& operator=(const CompletionQueues&) = delete;

    grpc::CompletionQueue* next();

private:
    std::vector<std::unique_ptr<grpc::CompletionQueue>> queues_;
    std::vector<std::thread> threads_;
    std::atomic<uint32_t> turn_{0};  // Relaxed: only spreads load.
};

/// Runs completions of one queue until it is shut down and drained.
void poll_completions(grpc::CompletionQueue& queue);

}  // namespace thetis
