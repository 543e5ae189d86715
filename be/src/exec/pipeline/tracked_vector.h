// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include <sys/mman.h>

#include "base/memory/tracker.h"

namespace thetis {

/// Counts what a container takes against the memory tracker of the thread that made the container.
/// resize() leaves trivial elements uninitialised.
template <typename T>
class TrackedAllocator {
public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;

    TrackedAllocator() : tracker_(MemoryScope::current()) {}

    template <typename U>
    explicit TrackedAllocator(const TrackedAllocator<U>& other) : tracker_(other.tracker()) {}

    T* allocate(size_t count) {
        if (count * sizeof(T) >= kHugeFromBytes) {
            MemoryScope::require_room(tracker_.get(), count * sizeof(T));
        }
        if (tracker_ != nullptr) {
            tracker_->consume(static_cast<int64_t>(count * sizeof(T)));
        }
        if (count * sizeof(T) >= kHugeFromBytes) {
            // Hash tables are read at random: with small pages most accesses would miss the
            // translation cache as well.
            void* data = ::operator new(count * sizeof(T), std::align_val_t{kHugePageBytes});
            madvise(data, count * sizeof(T), MADV_HUGEPAGE);
            return static_cast<T*>(data);
        }
        return static_cast<T*>(::operator new(count * sizeof(T)));
    }

    void deallocate(T* data, size_t count) {
        if (tracker_ != nullptr) {
            tracker_->release(static_cast<int64_t>(count * sizeof(T)));
        }
        if (count * sizeof(T) >= kHugeFromBytes) {
            ::operator delete(data, std::align_val_t{kHugePageBytes});
            return;
        }
        ::operator delete(data);
    }

    template <typename U, typename... Args>
    void construct(U* at, Args&&... args) {
        if constexpr (sizeof...(Args) == 0 && std::is_trivially_default_constructible_v<U>) {
            ::new (static_cast<void*>(at)) U;
        } else {
            ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
        }
    }

    const std::shared_ptr<MemoryTracker>& tracker() const { return tracker_; }

    bool operator==(const TrackedAllocator& other) const { return tracker_ == other.tracker_; }

private:
    static constexpr size_t kHugePageBytes = size_t{2} << 20;
    static constexpr size_t kHugeFromBytes = 2 * kHugePageBytes;

    std::shared_ptr<MemoryTracker> tracker_;
};

template <typename T>
using TrackedVector = std::vector<T, TrackedAllocator<T>>;

}  // namespace thetis
