// SPDX-License-Identifier: Apache-2.0
#include "base/thread/cancellation.h"

#include <thread>

namespace thetis {

namespace {

// The token whose callbacks this thread is running; lets a callback remove itself without waiting
// for itself.
thread_local const CancellationToken* cancelling_here = nullptr;

}  // namespace

bool CancellationToken::cancel(Status reason) {
    {
        MutexLock lock(mutex_);
        if (cancelled_.load(std::memory_order_relaxed)) {
            return false;
        }
        reason_ = reason;
        cancelled_.store(true, std::memory_order_release);
    }
    const CancellationToken* outer = cancelling_here;
    cancelling_here = this;
    for (;;) {
        std::function<void(const Status&)> callback;
        {
            MutexLock lock(mutex_);
            running_id_ = 0;
            callbacks_done_.notify_all();
            if (callbacks_.empty()) {
                break;
            }
            auto first = callbacks_.begin();
            running_id_ = first->first;
            callback = std::move(first->second);
            callbacks_.erase(first);
        }
        callback(reason);
    }
    cancelling_here = outer;
    return true;
}

Status CancellationToken::status() const {
    if (!is_cancelled()) {
        return {};
    }
    MutexLock lock(mutex_);
    return reason_;
}

uint64_t CancellationToken::on_cancel(std::function<void(const Status&)> callback) {
    Status reason;
    {
        MutexLock lock(mutex_);
        if (!cancelled_.load(std::memory_order_relaxed)) {
            const uint64_t id = next_id_++;
            callbacks_.emplace(id, std::move(callback));
            return id;
        }
        reason = reason_;
    }
    callback(reason);
    return 0;
}

void CancellationToken::remove_callback(uint64_t id) {
    MutexLock lock(mutex_);
    callbacks_.erase(id);
    while (id != 0 && running_id_ == id && cancelling_here != this) {
        callbacks_done_.wait_for(mutex_, std::chrono::milliseconds(100));
    }
}

}  // namespace thetis
