// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "load/load_channel.h"

namespace thetis::pb {
class WriterReply;
class WriterRequest;
}  // namespace thetis::pb

namespace thetis {

class LoadChannels;

/// The receiving half of one sender's tablet-writer stream; knows nothing of the transport.
/// on_request() is called in order, by one thread at a time; replies may come from any thread.
class RemoteWriterSession : public std::enable_shared_from_this<RemoteWriterSession> {
public:
    /// `reply` may be called until the session's last reply (`last` true).
    using Reply = std::function<void(pb::WriterReply reply, bool last)>;

    RemoteWriterSession(LoadChannels& channels, Reply reply)
        : channels_(channels), reply_(std::move(reply)) {}

    void on_request(const pb::WriterRequest& request);
    /// The sender sends no more; a load it did not close is cancelled.
    void on_half_close();
    /// The stream is gone; a load whose close was not answered is cancelled. Nothing is replied
    /// afterwards.
    void on_disconnect();

private:
    void open(const pb::WriterRequest& request);
    void write(const pb::WriterRequest& request);
    void close(const pb::WriterRequest& request);
    void fail(const Status& status);
    void consumed(int64_t bytes, const Status& status);
    void send(pb::WriterReply reply, bool last);

    LoadChannels& channels_;
    std::shared_ptr<LoadChannel> channel_;
    int sender_id_ = 0;
    bool closing_ = false;

    Mutex mutex_;  // Guards all below; replies are sent under it, which keeps the counter in order.
                   // The transport only queues.
    Reply reply_ GUARDED_BY(mutex_);
    int64_t consumed_bytes_ GUARDED_BY(mutex_) = 0;
    bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace thetis
