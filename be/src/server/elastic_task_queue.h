// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

#include "server/http_library.h"

namespace thetis {

/// Connection threads of the HTTP server: made when none is idle, gone after some idle seconds, at
/// most so many.
class ElasticTaskQueue final : public httplib::TaskQueue {
public:
    explicit ElasticTaskQueue(size_t max_threads) : max_threads_(max_threads) {}

    ~ElasticTaskQueue() override;

    void enqueue(std::function<void()> task) override;
    void shutdown() override;

private:
    void run();

    const size_t max_threads_;
    std::mutex mutex_;  // Guards all below.
    std::condition_variable wake_;
    std::condition_variable ended_;
    std::deque<std::function<void()>> tasks_;
    size_t num_threads_ = 0;
    size_t num_idle_ = 0;
    bool stopping_ = false;
};

}  // namespace thetis
