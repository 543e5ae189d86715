// SPDX-License-Identifier: Apache-2.0
#include "load/backend_writer.h"

#include <deque>

#include "column/batch_codec.h"
#include "service_tablet_writer.pb.h"
#include "wire/data_plane_client.h"
#include "wire/status_codec.h"

namespace thetis {

const std::string& OutgoingBatch::encoded() {
    if (encoded_.empty()) {
        encode_batch(*batch_, true, encoded_);
    }
    return encoded_;
}

namespace {

class LocalWriter final : public BackendWriter {
public:
    LocalWriter(std::shared_ptr<LoadChannel> channel, int sender_id)
        : channel_(std::move(channel)), sender_id_(sender_id) {}

    void write(
        uint32_t index,
        OutgoingBatch& batch,
        std::vector<TabletRows> tablets,
        std::function<void(Status)> consumed
    ) override {
        channel_->write(index, batch.batch(), std::move(tablets), std::move(consumed));
    }

    void close(std::vector<IndexTablets> touched, std::function<void(const LoadCloseResult&)> done)
        override {
        channel_->close_sender(sender_id_, std::move(touched), std::move(done));
    }

    void cancel(const Status& reason) override { channel_->cancel(reason); }

private:
    std::shared_ptr<LoadChannel> channel_;
    const int sender_id_;
};

class RemoteWriter final : public BackendWriter, public std::enable_shared_from_this<RemoteWriter> {
public:
    void open(
        DataPlaneClient& client, const RemoteWriterTarget& target, const LoadChannelOptions& options
    ) {
        WriterStream::Listener listener;
        listener.on_reply = [self = shared_from_this()](const pb::WriterReply& reply) {
            self->on_reply(reply);
        };
        listener.on_done = [self = shared_from_this()](const Status& status) {
            self->on_done(status);
        };
        auto stream =
            client.open_writer(target.host, target.port, target.timeout_ms, std::move(listener));
        pb::WriterRequest request;
        auto* open = request.mutable_open();
        open->mutable_load_id()->set_high(static_cast<uint64_t>(options.load_id.hi));
        open->mutable_load_id()->set_low(static_cast<uint64_t>(options.load_id.lo));
        open->set_txn_id(options.txn_id);
        open->set_table_id(target.table_id);
        open->set_timeout_ms(target.timeout_ms);
        open->set_sender_id(target.sender_id);
        open->set_num_senders(options.num_senders);
        for (size_t i = 0; i < options.indexes.size(); ++i) {
            const LoadIndex& from = options.indexes[i];
            auto* index = open->add_indexes();
            index->set_schema(target.schemas[i]);
            index->mutable_column_unique_ids()->Add(
                from.column_unique_ids.begin(), from.column_unique_ids.end()
            );
            index->set_partial_update(from.partial_update);
            index->set_partial_update_existing_only(from.partial_update_existing_only);
            for (const NewValue& value : from.new_values) {
                pb::WriterNewValue& target_value = *index->add_new_values();
                target_value.set_column_unique_id(value.column_unique_id);
                if (value.bytes.has_value()) {
                    target_value.set_value(*value.bytes);
                }
            }
        }
        stream->write(std::move(request));
        MutexLock lock(mutex_);
        stream_ = std::move(stream);
    }

    void write(
        uint32_t index,
        OutgoingBatch& batch,
        std::vector<TabletRows> tablets,
        std::function<void(Status)> consumed
    ) override {
        pb::WriterRequest request;
        auto* write = request.mutable_write();
        write->set_index(static_cast<int32_t>(index));
        write->set_batch(batch.encoded());
        for (const auto& tablet : tablets) {
            auto* rows = write->add_tablets();
            rows->set_tablet_id(tablet.tablet_id);
            rows->set_partition_id(tablet.partition_id);
            rows->set_rows(tablet.rows.data(), tablet.rows.size() * sizeof(uint16_t));
        }
        MutexLock lock(mutex_);
        if (ended_) {
            Status status = final_;
            lock.unlock();
            consumed(status);
            return;
        }
        sent_bytes_ += static_cast<int64_t>(write->batch().size());
        unconsumed_.push_back({sent_bytes_, std::move(consumed)});
        stream_->write(std::move(request));
    }

    void close(std::vector<IndexTablets> touched, std::function<void(const LoadCloseResult&)> done)
        override {
        MutexLock lock(mutex_);
        if (ended_) {
            LoadCloseResult result;
            result.status = final_;
            lock.unlock();
            done(result);
            return;
        }
        on_closed_ = std::move(done);
        pb::WriterRequest request;
        auto* close = request.mutable_close();
        for (const IndexTablets& tablets : touched) {
            auto* entry = close->add_touched();
            entry->set_index(static_cast<int32_t>(tablets.index));
            entry->mutable_tablet_ids()->Add(tablets.tablet_ids.begin(), tablets.tablet_ids.end());
        }
        stream_->write(std::move(request));
        stream_->close_writes();
    }

    void cancel(const Status& reason) override {
        MutexLock lock(mutex_);
        if (ended_ || stream_ == nullptr) {
            return;
        }
        // The message names the reason for the receiver's log; breaking the stream makes sure.
        pb::WriterRequest request;
        request.mutable_cancel()->set_reason(reason.to_string());
        stream_->write(std::move(request));
        stream_->close_writes();
        stream_->cancel();
    }

private:
    struct Unconsumed {
        int64_t end_bytes;
        std::function<void(Status)> consumed;
    };

    void on_reply(const pb::WriterReply& reply) {
        std::vector<std::function<void(Status)>> consumed;
        std::function<void(const LoadCloseResult&)> closed;
        LoadCloseResult result;
        Status status = from_proto(reply.status());
        {
            MutexLock lock(mutex_);
            while (!unconsumed_.empty() && unconsumed_.front().end_bytes <= reply.consumed_bytes()
            ) {
                consumed.push_back(std::move(unconsumed_.front().consumed));
                unconsumed_.pop_front();
            }
            if (!status.ok() && failure_.ok()) {
                failure_ = status;
            }
            if (reply.closed()) {
                result.status = status;
                result.committed.assign(
                    reply.committed_tablets().begin(), reply.committed_tablets().end()
                );
                for (const auto& failed : reply.failed_tablets()) {
                    result.failed.emplace_back(failed.tablet_id(), from_proto(failed.status()));
                }
                for (const auto& missing : reply.missing_keys()) {
                    result.missing_keys.emplace_back(missing.tablet_id(), missing.num_keys());
                }
                closed = std::move(on_closed_);
                on_closed_ = nullptr;
            }
        }
        for (auto& callback : consumed) {
            callback(status);
        }
        if (closed) {
            closed(result);
        }
    }

    void on_done(const Status& status) {
        std::deque<Unconsumed> unconsumed;
        std::function<void(const LoadCloseResult&)> closed;
        LoadCloseResult result;
        {
            MutexLock lock(mutex_);
            ended_ = true;
            final_ = !failure_.ok()
                         ? failure_
                         : (status.ok()
                                ? Status::error(
                                      ErrorCode::kRpcError, "the receiver ended the load's stream"
                                  )
                                : status);
            unconsumed.swap(unconsumed_);
            closed = std::move(on_closed_);
            on_closed_ = nullptr;
            result.status = final_;
            stream_ = nullptr;
        }
        for (auto& entry : unconsumed) {
            entry.consumed(result.status);
        }
        if (closed) {
            closed(result);
        }
    }

    Mutex mutex_;  // Guards all below; not held over callbacks. Stream functions may be called
                   // under it: they only queue.
    std::shared_ptr<WriterStream> stream_ GUARDED_BY(mutex_);
    std::deque<Unconsumed> unconsumed_ GUARDED_BY(mutex_);
    std::function<void(const LoadCloseResult&)> on_closed_ GUARDED_BY(mutex_);
    int64_t sent_bytes_ GUARDED_BY(mutex_) = 0;
    bool ended_ GUARDED_BY(mutex_) = false;
    Status failure_ GUARDED_BY(mutex_);
    Status final_ GUARDED_BY(mutex_);
};

}  // namespace

std::shared_ptr<BackendWriter> make_local_writer(
    std::shared_ptr<LoadChannel> channel, int sender_id
) {
    return std::make_shared<LocalWriter>(std::move(channel), sender_id);
}

std::shared_ptr<BackendWriter> make_remote_writer(
    DataPlaneClient& client, const RemoteWriterTarget& target, const LoadChannelOptions& options
) {
    auto writer = std::make_shared<RemoteWriter>();
    writer->open(client, target, options);
    return writer;
}

}  // namespace thetis
