// SPDX-License-Identifier: Apache-2.0
#include "wire/completion_queues.h"

namespace thetis {

void poll_completions(grpc::CompletionQueue& queue) {
    void* tag = nullptr;
    bool ok = false;
    while (queue.Next(&tag, &ok)) {
        static_cast<CompletionTag*>(tag)->proceed(ok);
    }
}

CompletionQueues::CompletionQueues(int num_threads) {
    for (int i = 0; i < num_threads; ++i) {
        queues_.push_back(std::make_unique<grpc::CompletionQueue>());
    }
    for (auto& queue : queues_) {
        threads_.emplace_back([pointer = queue.get()] { poll_completions(*pointer); });
    }
}

CompletionQueues::~CompletionQueues() {
    for (auto& queue : queues_) {
        queue->Shutdown();
    }
    for (auto& thread : threads_) {
        thread.join();
    }
}

grpc::CompletionQueue* CompletionQueues::next() {
    return queues_[turn_.fetch_add(1, std::memory_order_relaxed) % queues_.size()].get();
}

}  // namespace thetis
