// SPDX-License-Identifier: Apache-2.0
#include "base/memory/arena.h"

#include <new>

#include "base/memory/tracker.h"

namespace thetis {

namespace {

constexpr size_t kMaxChunkBytes = size_t{1} << 20;
constexpr std::align_val_t kAlignment{64};

}  // namespace

Arena::Arena(size_t first_chunk_bytes)
    : tracker_(MemoryScope::current()), next_chunk_bytes_(first_chunk_bytes) {}

Arena::~Arena() {
    for (const Chunk& chunk : chunks_) {
        free_chunk(chunk);
    }
}

char* Arena::allocate_chunk(size_t size_bytes) {
    const size_t bytes = std::max(size_bytes, next_chunk_bytes_);
    next_chunk_bytes_ =
        std::min(next_chunk_bytes_ * 2, std::max(kMaxChunkBytes, next_chunk_bytes_));
    MemoryScope::require_room(tracker_.get(), bytes);
    char* data = static_cast<char*>(::operator new(bytes, kAlignment));
    chunks_.push_back({data, bytes});
    total_bytes_ += bytes;
    if (tracker_ != nullptr) {
        tracker_->consume(static_cast<int64_t>(bytes));
    }
    // A big allocation does not waste the rest of the chunk in use.
    if (bytes - size_bytes >= static_cast<size_t>(end_ - next_)) {
        next_ = data + size_bytes;
        end_ = data + bytes;
    }
    return data;
}

void Arena::free_chunk(const Chunk& chunk) {
    ::operator delete(chunk.data, kAlignment);
    total_bytes_ -= chunk.size_bytes;
    if (tracker_ != nullptr) {
        tracker_->release(static_cast<int64_t>(chunk.size_bytes));
    }
}

std::string_view Arena::copy(std::string_view bytes) {
    char* data = allocate(bytes.size(), 1);
    if (!bytes.empty()) {
        std::memcpy(data, bytes.data(), bytes.size());
    }
    return {data, bytes.size()};
}

void Arena::clear() {
    if (chunks_.empty()) {
        return;
    }
    auto largest =
        std::max_element(chunks_.begin(), chunks_.end(), [](const Chunk& a, const Chunk& b) {
            return a.size_bytes < b.size_bytes;
        });
    std::swap(*largest, chunks_.front());
    while (chunks_.size() > 1) {
        free_chunk(chunks_.back());
        chunks_.pop_back();
    }
    next_ = chunks_.front().data;
    end_ = next_ + chunks_.front().size_bytes;
}

}  // namespace thetis
