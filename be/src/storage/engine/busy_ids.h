// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_set>

#include "base/status.h"
#include "base/thread/mutex.h"

namespace thetis {

/// Lets one thread at a time work on an id (a transaction, a tablet) while it does I/O, without
/// holding a mutex. Thread-safe.
class BusyIds {
public:
    /// Holds an id until it is destroyed.
    class Claim {
    public:
        Claim(BusyIds& owner, int64_t id) : owner_(&owner), id_(id) {}

        ~Claim() {
            if (owner_ != nullptr) {
                owner_->release(id_);
            }
        }

        Claim(Claim&& other) noexcept
            : owner_(std::exchange(other.owner_, nullptr)), id_(other.id_) {}

        Claim& operator=(Claim&&) = delete;

    private:
        BusyIds* owner_;
        int64_t id_;
    };

    /// Waits for its turn; `timeout` when that takes too long.
    Result<Claim> claim(int64_t id) {
        const SteadyTime deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        MutexLock lock(mutex_);
        while (!busy_.insert(id).second) {
            if (std::chrono::steady_clock::now() >= deadline) {
                return Status::error(ErrorCode::kTimeout, "Earlier work on {} does not end", id);
            }
            free_.wait_until(mutex_, deadline);
        }
        return Claim(*this, id);
    }

private:
    void release(int64_t id) {
        MutexLock lock(mutex_);
        busy_.erase(id);
        free_.notify_all();
    }

    Mutex mutex_;  // Guards busy_.
    CondVar free_;
    std::unordered_set<int64_t> busy_ GUARDED_BY(mutex_);
};

}  // namespace thetis
