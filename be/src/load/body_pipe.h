// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "base/status.h"
#include "base/thread/mutex.h"
#include "exec/pipeline/dependency.h"

namespace thetis {

/// The bytes of a load body on their way from the connection's thread, which may block, to the
/// load's pipeline, which may not. Bounded; one producer, one consumer.
class BodyPipe {
public:
    explicit BodyPipe(size_t max_bytes);

    /// Takes bytes, waiting for room until `deadline`. Fails when the consumer closed the pipe or
    /// the deadline passed.
    Status push(std::string_view bytes, SteadyTime deadline);

    /// The body ended: completely when `status` is ok. First call wins.
    void finish(const Status& status);

    enum class Pull : uint8_t { kBytes, kWait, kEnd };

    /// Gives everything that is held; kWait: ask again when readable() is ready. Fails when the
    /// body broke off.
    Result<Pull> pull(std::string& bytes);

    const DependencyPtr& readable() const { return readable_; }

    /// The consumer wants no more; wakes a waiting producer.
    void close();
    bool is_closed() const;

private:
    const size_t max_bytes_;
    const DependencyPtr readable_;
    mutable Mutex mutex_;  // Guards all below; readable_'s lock is taken inside it.
    CondVar room_;
    std::string held_ GUARDED_BY(mutex_);
    bool finished_ GUARDED_BY(mutex_) = false;
    bool closed_ GUARDED_BY(mutex_) = false;
    Status final_ GUARDED_BY(mutex_);
};

}  // namespace thetis
