// SPDX-License-Identifier: Apache-2.0
#include "column/buffer.h"

#include <cstring>
#include <new>

#include "base/memory/tracker.h"

namespace thetis {

namespace {

constexpr size_t kPaddingBytes = 64;
constexpr std::align_val_t kAlignment{64};
/// Larger ones ask for room first; a batch of numbers is smaller.
constexpr size_t kLargeBytes = 128 << 10;

}  // namespace

Buffer::Buffer(
    uint8_t* data, size_t size_bytes, size_t capacity, std::shared_ptr<MemoryTracker> tracker
)
    : data_(data),
      size_bytes_(size_bytes),
      capacity_bytes_(capacity),
      tracker_(std::move(tracker)) {
    if (tracker_ != nullptr) {
        tracker_->consume(static_cast<int64_t>(capacity_bytes_ + kPaddingBytes));
    }
}

std::shared_ptr<Buffer> Buffer::allocate(size_t size_bytes) {
    const size_t capacity = (size_bytes + 63) / 64 * 64;
    if (capacity >= kLargeBytes) {
        MemoryScope::require_room(MemoryScope::current().get(), capacity);
    }
    auto* data = static_cast<uint8_t*>(::operator new(capacity + kPaddingBytes, kAlignment));
    return std::shared_ptr<Buffer>(new Buffer(data, size_bytes, capacity, MemoryScope::current()));
}

std::shared_ptr<Buffer> Buffer::zeroed(size_t size_bytes) {
    auto buffer = allocate(size_bytes);
    std::memset(buffer->data_, 0, buffer->capacity_bytes_);
    return buffer;
}

std::shared_ptr<Buffer> Buffer::copy_of(const void* data, size_t size_bytes) {
    auto buffer = allocate(size_bytes);
    if (size_bytes > 0) {
        std::memcpy(buffer->data_, data, size_bytes);
    }
    return buffer;
}

Buffer::~Buffer() {
    ::operator delete(data_, kAlignment);
    if (tracker_ != nullptr) {
        tracker_->release(static_cast<int64_t>(capacity_bytes_ + kPaddingBytes));
    }
}

}  // namespace thetis
