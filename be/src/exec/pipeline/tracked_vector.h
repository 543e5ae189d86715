// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <vector>

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
        if (tracker_ != nullptr) {
            tracker_->consume(static_cast<int64_t>(count * sizeof(T)));
        }
        return static_cast<T*>(::operator new(count * sizeof(T)));
    }

    void deallocate(T* data, size_t count) {
        if (tracker_ != nullptr) {
            tracker_->release(static_cast<int64_t>(count * sizeof(T)));
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
    std::shared_ptr<MemoryTracker> tracker_;
};

template <typename T>
using TrackedVector = std::vector<T, TrackedAllocator<T>>;

}  // namespace thetis
