// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "load/load_channel.h"

namespace thetis {

class DataPlaneClient;

/// One batch on its way to several back ends: encoded at most once.
class OutgoingBatch {
public:
    explicit OutgoingBatch(Batch batch) : batch_(std::make_shared<const Batch>(std::move(batch))) {}

    const std::shared_ptr<const Batch>& batch() const { return batch_; }

    /// The batch codec's bytes; not thread-safe, called by the writing task only.
    const std::string& encoded();

private:
    std::shared_ptr<const Batch> batch_;
    std::string encoded_;
};

/// The way to the tablets of one back end. write() is called by one thread at a time; nothing
/// blocks.
class BackendWriter {
public:
    virtual ~BackendWriter() = default;
    /// `consumed` once, with an error when this back end is lost for the load.
    virtual void write(
        uint32_t index,
        OutgoingBatch& batch,
        std::vector<TabletRows> tablets,
        std::function<void(Status)> consumed
    ) = 0;
    /// `touched` as in LoadChannel::close_sender.
    virtual void close(
        std::vector<IndexTablets> touched, std::function<void(const LoadCloseResult&)> done
    ) = 0;
    virtual void cancel(const Status& reason) = 0;
};

/// Writes to the load's channel of this process.
std::shared_ptr<BackendWriter> make_local_writer(
    std::shared_ptr<LoadChannel> channel, int sender_id
);

struct RemoteWriterTarget {
    std::string host;
    int port = 0;
    int64_t table_id = 0;
    int sender_id = 0;
    int64_t timeout_ms = 0;
    std::vector<std::string> schemas;  ///< Of each index, as TabletSchemaDesc.
};

/// Opens a stream to another back end.
std::shared_ptr<BackendWriter> make_remote_writer(
    DataPlaneClient& client, const RemoteWriterTarget& target, const LoadChannelOptions& options
);

}  // namespace thetis
