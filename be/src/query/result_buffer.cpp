// SPDX-License-Identifier: Apache-2.0
#include "query/result_buffer.h"

namespace thetis {

namespace {
constexpr size_t kChunkBytes = 1 << 20;
}

ResultBuffer::ResultBuffer(int64_t max_bytes)
    : max_bytes_(max_bytes), writable_(std::make_shared<Dependency>(true)) {}

DependencyPtr ResultBuffer::blocked() {
    return writable_->is_ready() ? nullptr : writable_;
}

Status ResultBuffer::put(std::string packets, int64_t num_rows) {
    FetchCallback callback;
    FetchedChunk chunk;
    {
        std::lock_guard lock(mutex_);
        if (finished_) {
            return last_.status.ok()
                       ? Status(ErrorCode::kInternal, "rows after the end of a result")
                       : last_.status;
        }
        held_bytes_ += static_cast<int64_t>(packets.size());
        chunks_.emplace_back(std::move(packets), num_rows);
        if (waiting_) {
            take_locked(chunk);
            callback = std::exchange(waiting_, nullptr);
        } else if (held_bytes_ > max_bytes_) {
            writable_->reset();
        }
    }
    if (callback) {
        callback(std::move(chunk));
    }
    return {};
}

void ResultBuffer::put_load(LoadCounters counters) {
    std::lock_guard lock(mutex_);
    load_ = std::move(counters);
}

// True when there is something to deliver: rows, or the end.
bool ResultBuffer::take_locked(FetchedChunk& chunk) {
    if (!chunks_.empty() && !(finished_ && !last_.status.ok())) {
        while (!chunks_.empty() &&
               (chunk.packets.empty() ||
                chunk.packets.size() + chunks_.front().first.size() <= kChunkBytes)) {
            auto& [packets, num_rows] = chunks_.front();
            held_bytes_ -= static_cast<int64_t>(packets.size());
            chunk.num_rows += num_rows;
            if (chunk.packets.empty()) {
                chunk.packets = std::move(packets);
            } else {
                chunk.packets += packets;
            }
            chunks_.pop_front();
        }
        if (held_bytes_ <= max_bytes_) {
            writable_->set_ready();
        }
        // Short results need one round trip only.
        if (!(finished_ && chunks_.empty())) {
            return true;
        }
        std::string packets = std::move(chunk.packets);
        int64_t num_rows = chunk.num_rows;
        chunk = last_;
        chunk.packets = std::move(packets);
        chunk.num_rows = num_rows;
        delivered_ = true;
        return true;
    }
    if (!finished_) {
        return false;
    }
    chunks_.clear();
    held_bytes_ = 0;
    chunk = last_;
    delivered_ = true;
    return true;
}

void ResultBuffer::fetch(FetchCallback callback) {
    FetchedChunk chunk;
    {
        std::lock_guard lock(mutex_);
        if (waiting_) {
            chunk.status = Status(
                ErrorCode::kInvalidArgument, "the result of this query is being fetched already"
            );
            chunk.eos = true;
        } else if (!take_locked(chunk)) {
            waiting_ = std::move(callback);
            return;
        }
    }
    callback(std::move(chunk));
}

void ResultBuffer::finish(FetchedChunk last) {
    FetchCallback callback;
    FetchedChunk chunk;
    {
        std::lock_guard lock(mutex_);
        if (finished_) {
            return;
        }
        finished_ = true;
        last_ = std::move(last);
        last_.eos = true;
        last_.load = load_;
        if (!last_.status.ok()) {
            chunks_.clear();
            held_bytes_ = 0;
        }
        writable_->set_ready();
        if (waiting_) {
            take_locked(chunk);
            callback = std::exchange(waiting_, nullptr);
        }
    }
    if (callback) {
        callback(std::move(chunk));
    }
}

bool ResultBuffer::is_delivered() const {
    std::lock_guard lock(mutex_);
    return delivered_;
}

}  // namespace thetis
