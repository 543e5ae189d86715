// SPDX-License-Identifier: Apache-2.0
#include "load/body_pipe.h"

namespace thetis {

namespace {

// Fewer wake-ups and larger texts for the reader: it is woken when this much is there, or at the
// end.
constexpr size_t kWakeBytes = 256 << 10;

}  // namespace

BodyPipe::BodyPipe(size_t max_bytes)
    : max_bytes_(max_bytes), readable_(std::make_shared<Dependency>()) {}

Status BodyPipe::push(std::string_view bytes, SteadyTime deadline) {
    MutexLock lock(mutex_);
    while (held_.size() >= max_bytes_ && !closed_) {
        if (!room_.wait_until(mutex_, deadline) && std::chrono::steady_clock::now() >= deadline) {
            return Status::error(ErrorCode::kTimeout, "the load did not take its body in time");
        }
    }
    if (closed_) {
        return Status::error(ErrorCode::kCancelled, "the load takes no more of its body");
    }
    held_.append(bytes);
    if (held_.size() >= kWakeBytes) {
        readable_->set_ready();
    }
    return {};
}

void BodyPipe::finish(const Status& status) {
    MutexLock lock(mutex_);
    if (!finished_) {
        finished_ = true;
        final_ = status;
        readable_->set_ready();
    }
}

Result<BodyPipe::Pull> BodyPipe::pull(std::string& bytes) {
    MutexLock lock(mutex_);
    if (finished_ && !final_.ok()) {
        return final_;
    }
    if (held_.empty()) {
        if (finished_) {
            return Pull::kEnd;
        }
        readable_->reset();
        return Pull::kWait;
    }
    bytes.clear();
    bytes.swap(held_);
    held_.reserve(kWakeBytes * 2);
    room_.notify_one();
    return Pull::kBytes;
}

void BodyPipe::close() {
    MutexLock lock(mutex_);
    closed_ = true;
    held_.clear();
    room_.notify_all();
}

bool BodyPipe::is_closed() const {
    MutexLock lock(mutex_);
    return closed_;
}

}  // namespace thetis
