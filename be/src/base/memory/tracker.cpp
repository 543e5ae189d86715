// SPDX-License-Identifier: Apache-2.0
#include "base/memory/tracker.h"

#include <algorithm>

namespace thetis {

namespace {

constexpr int64_t kStepBytes = int64_t{1} << 20;

constexpr int64_t kLeastSlackBytes = int64_t{32} << 20;

thread_local std::shared_ptr<MemoryTracker> current_tracker;
thread_local MemoryScope::Refusal current_refusal = MemoryScope::Refusal::kNever;

int64_t round_up(int64_t bytes) {
    return (bytes + kStepBytes - 1) / kStepBytes * kStepBytes;
}

}  // namespace

std::shared_ptr<MemoryTracker> MemoryTracker::create(
    std::string name, int64_t limit_bytes, std::shared_ptr<MemoryTracker> parent
) {
    return std::shared_ptr<MemoryTracker>(
        new MemoryTracker(std::move(name), limit_bytes, std::move(parent))
    );
}

MemoryTracker::MemoryTracker(
    std::string name, int64_t limit_bytes, std::shared_ptr<MemoryTracker> parent
)
    : name_(std::move(name)), parent_(std::move(parent)), limit_bytes_(limit_bytes) {}

MemoryTracker::~MemoryTracker() {
    if (parent_ != nullptr) {
        parent_->release(reserved_.load(std::memory_order_relaxed));
    }
}

void MemoryTracker::consume(int64_t bytes) {
    const int64_t now = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    int64_t peak = peak_.load(std::memory_order_relaxed);
    while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
    if (parent_ == nullptr) {
        return;
    }
    int64_t reserved = reserved_.load(std::memory_order_relaxed);
    while (now > reserved) {
        const int64_t wanted = round_up(now);
        if (reserved_.compare_exchange_weak(reserved, wanted, std::memory_order_relaxed)) {
            parent_->consume(wanted - reserved);
            return;
        }
    }
}

void MemoryTracker::release(int64_t bytes) {
    const int64_t now = used_.fetch_sub(bytes, std::memory_order_relaxed) - bytes;
    if (parent_ == nullptr) {
        return;
    }
    int64_t reserved = reserved_.load(std::memory_order_relaxed);
    while (reserved - now > 2 * kStepBytes) {
        const int64_t wanted = round_up(now);
        if (reserved_.compare_exchange_weak(reserved, wanted, std::memory_order_relaxed)) {
            parent_->release(reserved - wanted);
            return;
        }
    }
}

Status MemoryTracker::try_consume(int64_t bytes) {
    consume(bytes);
    Status status = check();
    if (!status.ok()) {
        release(bytes);
    }
    return status;
}

Status MemoryTracker::check() const {
    for (const MemoryTracker* tracker = this; tracker != nullptr;
         tracker = tracker->parent_.get()) {
        const int64_t limit = tracker->limit_bytes();
        const int64_t used = tracker->used_bytes();
        if (limit > 0 && used > limit) [[unlikely]] {
            return Status::error(
                ErrorCode::kMemLimitExceeded,
                "MEM_LIMIT_EXCEEDED: {} uses {} bytes, limit {} bytes",
                tracker->name_,
                used,
                limit
            );
        }
    }
    return {};
}

Status MemoryTracker::check_room(int64_t bytes) const {
    for (const MemoryTracker* tracker = this; tracker != nullptr;
         tracker = tracker->parent_.get()) {
        const int64_t limit = tracker->limit_bytes();
        const int64_t slack = std::max(limit / 8, kLeastSlackBytes);
        if (limit > 0 && tracker->used_bytes() + bytes > limit + slack) [[unlikely]] {
            return Status::error(
                ErrorCode::kMemLimitExceeded,
                "MEM_LIMIT_EXCEEDED: {} uses {} bytes and wants {} more, limit {} bytes",
                tracker->name_,
                tracker->used_bytes(),
                bytes,
                limit
            );
        }
    }
    return {};
}

MemoryScope::MemoryScope(std::shared_ptr<MemoryTracker> tracker, Refusal refusal)
    : previous_(std::move(current_tracker)), previous_refusal_(current_refusal) {
    current_tracker = std::move(tracker);
    current_refusal = refusal;
}

MemoryScope::~MemoryScope() {
    current_tracker = std::move(previous_);
    current_refusal = previous_refusal_;
}

void MemoryScope::require_room(const MemoryTracker* tracker, size_t bytes) {
    if (tracker == nullptr || current_refusal == Refusal::kNever) {
        return;
    }
    Status status = tracker->check_room(static_cast<int64_t>(bytes));
    if (!status.ok()) [[unlikely]] {
        throw MemoryLimitExceeded(std::move(status));
    }
}

const std::shared_ptr<MemoryTracker>& MemoryScope::current() {
    return current_tracker;
}

}  // namespace thetis
