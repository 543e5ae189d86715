// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace thetis {

class MemoryTracker;

/// A run of bytes aligned to 64, owned, counted against the memory tracker of the thread that made
/// it. Written only while its maker builds it; shared as `shared_ptr<const Buffer>` afterwards.
class Buffer {
public:
    /// Uninitialised; at least 64 bytes past the end may be read (not written), so kernels need no
    /// tail loops for loads.
    static std::shared_ptr<Buffer> allocate(size_t size_bytes);
    static std::shared_ptr<Buffer> zeroed(size_t size_bytes);
    static std::shared_ptr<Buffer> copy_of(const void* data, size_t size_bytes);

    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    uint8_t* data() { return data_; }

    const uint8_t* data() const { return data_; }

    size_t size() const { return size_bytes_; }

    size_t capacity() const { return capacity_bytes_; }

    /// Its maker says how much of the capacity is used; no more than capacity().
    void set_size(size_t size_bytes) { size_bytes_ = size_bytes; }

    template <typename T>
    T* as() {
        return reinterpret_cast<T*>(data_);
    }

    template <typename T>
    const T* as() const {
        return reinterpret_cast<const T*>(data_);
    }

private:
    Buffer(
        uint8_t* data, size_t size_bytes, size_t capacity, std::shared_ptr<MemoryTracker> tracker
    );

    uint8_t* data_;
    size_t size_bytes_;
    size_t capacity_bytes_;
    std::shared_ptr<MemoryTracker> tracker_;
};

using BufferPtr = std::shared_ptr<const Buffer>;

}  // namespace thetis
