// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "base/status.h"

namespace thetis {

/// The sending end of a bidirectional stream to another back end. Messages are queued and sent in
/// order; how many bytes may be queued is the caller's business (credit in the replies).
/// Thread-safe, never blocks.
template <typename Request, typename Reply>
class MessageStream {
public:
    /// Called from a completion-queue thread, never concurrently; on_done exactly once and last.
    struct Listener {
        std::function<void(const Reply&)> on_reply;
        std::function<void(const Status&)> on_done;
    };

    virtual ~MessageStream() = default;

    /// Queues one message; ignored once the stream is broken or half-closed.
    virtual void write(Request request) = 0;
    /// No more messages; the stream ends when the receiver ends it.
    virtual void close_writes() = 0;
    /// Ends the stream at once; on_done follows with a `cancelled` status. Idempotent.
    virtual void cancel() = 0;
};

}  // namespace thetis
