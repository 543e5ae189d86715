// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace thetis {

class MemoryTracker;

/// Bump allocator: many small allocations, freed together. Counts against the tracker of the thread
/// that made it. Not thread-safe.
class Arena {
public:
    explicit Arena(size_t first_chunk_bytes = 4096);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// Uninitialised bytes, valid until clear() or destruction. `alignment` is a power of two up
    /// to 64.
    char* allocate(size_t size_bytes, size_t alignment = 8) {
        uintptr_t begin = (reinterpret_cast<uintptr_t>(next_) + alignment - 1) & ~(alignment - 1);
        if (begin + size_bytes > reinterpret_cast<uintptr_t>(end_)) [[unlikely]] {
            return allocate_chunk(size_bytes);
        }
        next_ = reinterpret_cast<char*>(begin + size_bytes);
        return reinterpret_cast<char*>(begin);
    }

    /// A copy of `bytes` that lives in the arena.
    std::string_view copy(std::string_view bytes);

    /// Frees everything but the largest chunk.
    void clear();

    size_t memory_bytes() const { return total_bytes_; }

private:
    struct Chunk {
        char* data;
        size_t size_bytes;
    };

    char* allocate_chunk(size_t size_bytes);
    void free_chunk(const Chunk& chunk);

    std::vector<Chunk> chunks_;
    std::shared_ptr<MemoryTracker> tracker_;
    char* next_ = nullptr;
    char* end_ = nullptr;
    size_t next_chunk_bytes_;
    size_t total_bytes_ = 0;
};

}  // namespace thetis
