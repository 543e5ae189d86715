// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include "base/status.h"

namespace thetis {

/// Counts the bytes of one owner (the process, a query, a load, a cache) against a limit; a tree,
/// children count into their parent. Thread-safe. A child takes from its parent in steps of a
/// megabyte, so the shared counter is touched rarely.
class MemoryTracker {
public:
    /// `limit_bytes` <= 0: no limit of its own.
    static std::shared_ptr<MemoryTracker> create(
        std::string name, int64_t limit_bytes, std::shared_ptr<MemoryTracker> parent = nullptr
    );

    ~MemoryTracker();
    MemoryTracker(const MemoryTracker&) = delete;
    MemoryTracker& operator=(const MemoryTracker&) = delete;

    /// Counts bytes that are taken already; never fails, `check` tells afterwards.
    void consume(int64_t bytes);
    void release(int64_t bytes);

    /// Counts bytes about to be taken, or refuses with mem_limit_exceeded and counts nothing.
    Status try_consume(int64_t bytes);

    /// mem_limit_exceeded when this tracker or one above is past its limit. Operators ask once per
    /// batch.
    Status check() const;

    /// As check, for `bytes` more, but lenient by an eighth of each limit (at least 32 MB): for
    /// allocations between two checks.
    Status check_room(int64_t bytes) const;

    const std::string& name() const { return name_; }

    int64_t used_bytes() const { return used_.load(std::memory_order_relaxed); }

    int64_t peak_bytes() const { return peak_.load(std::memory_order_relaxed); }

    int64_t limit_bytes() const { return limit_bytes_.load(std::memory_order_relaxed); }

    void set_limit_bytes(int64_t bytes) { limit_bytes_.store(bytes, std::memory_order_relaxed); }

    const std::shared_ptr<MemoryTracker>& parent() const { return parent_; }

private:
    MemoryTracker(std::string name, int64_t limit_bytes, std::shared_ptr<MemoryTracker> parent);

    const std::string name_;
    const std::shared_ptr<MemoryTracker> parent_;
    // Plain counters: no other memory is published through them, so relaxed ordering is enough.
    std::atomic<int64_t> limit_bytes_;
    std::atomic<int64_t> used_{0};
    std::atomic<int64_t> reserved_{0};  // What the parent has been told.
    std::atomic<int64_t> peak_{0};
};

/// An allocation refused by a tracker; holds what its check says.
class MemoryLimitExceeded : public std::bad_alloc {
public:
    explicit MemoryLimitExceeded(Status status) : status_(std::move(status)) {}

    const Status& status() const { return status_; }

    const char* what() const noexcept override { return "memory limit exceeded"; }

private:
    Status status_;
};

/// While alive, buffers and arenas made by this thread count against `tracker`. Scopes nest.
class MemoryScope {
public:
    enum class Refusal : uint8_t {
        kNever,   ///< Allocations always succeed; whoever owns the work asks check() in time.
        kThrows,  ///< Large ones far past a limit throw MemoryLimitExceeded, which the owner
                  ///< catches.
    };

    explicit MemoryScope(std::shared_ptr<MemoryTracker> tracker, Refusal refusal = Refusal::kNever);
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

    /// The innermost scope's tracker of this thread; null outside every scope.
    static const std::shared_ptr<MemoryTracker>& current();

    /// To be called before a large allocation that will be counted against `tracker`.
    static void require_room(const MemoryTracker* tracker, size_t bytes);

private:
    std::shared_ptr<MemoryTracker> previous_;
    Refusal previous_refusal_;
};

}  // namespace thetis
