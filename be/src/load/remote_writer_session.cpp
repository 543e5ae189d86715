// SPDX-License-Identifier: Apache-2.0
#include "load/remote_writer_session.h"

#include <cstring>

#include "column/batch_codec.h"
#include "descriptors_types.h"
#include "exec/scan/wire_schema.h"
#include "load/load_channels.h"
#include "service_tablet_writer.pb.h"
#include "wire/status_codec.h"
#include "wire/thrift_codec.h"

namespace thetis {

namespace {

Result<LoadIndex> read_index(const pb::WriterIndex& entry) {
    wire::TabletSchemaDesc desc;
    RETURN_IF_ERROR(decode_compact(entry.schema(), desc));
    LoadIndex index;
    ASSIGN_OR_RETURN(index.schema, schema_from_wire(desc));
    index.column_unique_ids.assign(
        entry.column_unique_ids().begin(), entry.column_unique_ids().end()
    );
    index.partial_update = entry.partial_update();
    index.partial_update_existing_only = entry.partial_update_existing_only();
    for (const pb::WriterNewValue& value : entry.new_values()) {
        index.new_values.push_back(
            {.column_unique_id = value.column_unique_id(),
             .bytes = value.has_value() ? std::optional(value.value()) : std::nullopt}
        );
    }
    return index;
}

}  // namespace

void RemoteWriterSession::on_request(const pb::WriterRequest& request) {
    switch (request.request_case()) {
        case pb::WriterRequest::kOpen:
            open(request);
            break;
        case pb::WriterRequest::kWrite:
            write(request);
            break;
        case pb::WriterRequest::kClose:
            close(request);
            break;
        case pb::WriterRequest::kCancel:
            if (channel_ != nullptr) {
                channels_.cancel(
                    channel_->options().load_id,
                    Status(ErrorCode::kCancelled, request.cancel().reason())
                );
            }
            break;
        default:
            fail(Status::error(ErrorCode::kInvalidArgument, "empty tablet writer request"));
    }
}

void RemoteWriterSession::open(const pb::WriterRequest& request) {
    const auto& open = request.open();
    if (channel_ != nullptr || open.timeout_ms() <= 0 || open.num_senders() <= 0 ||
        open.indexes().empty()) {
        fail(Status::error(ErrorCode::kInvalidArgument, "malformed open of a tablet writer"));
        return;
    }
    LoadChannelOptions options;
    options.load_id = {
        static_cast<int64_t>(open.load_id().high()), static_cast<int64_t>(open.load_id().low())
    };
    options.txn_id = open.txn_id();
    options.deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(open.timeout_ms());
    options.num_senders = open.num_senders();
    sender_id_ = open.sender_id();
    for (const auto& entry : open.indexes()) {
        auto index = read_index(entry);
        if (!index.ok()) {
            fail(index.status());
            return;
        }
        options.indexes.push_back(index.take());
    }
    auto channel = channels_.open(options);
    if (!channel.ok()) {
        fail(channel.status());
        return;
    }
    channel_ = channel.take();
}

void RemoteWriterSession::write(const pb::WriterRequest& request) {
    if (channel_ == nullptr || closing_) {
        fail(Status::error(ErrorCode::kInvalidArgument, "rows for a tablet writer that is not open")
        );
        return;
    }
    const auto& write = request.write();
    auto decoded = decode_batch(write.batch());
    if (!decoded.ok()) {
        fail(decoded.status().with_context(
            "batch of load {}", channel_->options().load_id.to_string()
        ));
        return;
    }
    auto batch = std::make_shared<const Batch>(decoded.take());
    std::vector<TabletRows> tablets;
    for (const auto& entry : write.tablets()) {
        TabletRows rows{entry.tablet_id(), entry.partition_id(), {}};
        rows.rows.resize(entry.rows().size() / sizeof(uint16_t));
        std::memcpy(rows.rows.data(), entry.rows().data(), rows.rows.size() * sizeof(uint16_t));
        for (uint16_t row : rows.rows) {
            if (row >= batch->num_rows) {
                fail(Status::error(
                    ErrorCode::kCorruption, "row {} of a batch of {} rows", row, batch->num_rows
                ));
                return;
            }
        }
        tablets.push_back(std::move(rows));
    }
    auto bytes = static_cast<int64_t>(write.batch().size());
    channel_->write(
        static_cast<uint32_t>(write.index()),
        std::move(batch),
        std::move(tablets),
        [self = shared_from_this(), bytes](const Status& status) { self->consumed(bytes, status); }
    );
}

void RemoteWriterSession::consumed(int64_t bytes, const Status& status) {
    MutexLock lock(mutex_);
    consumed_bytes_ += bytes;
    pb::WriterReply reply;
    to_proto(status, *reply.mutable_status());
    reply.set_consumed_bytes(consumed_bytes_);
    if (!ended_ && reply_) {
        reply_(std::move(reply), false);
    }
}

void RemoteWriterSession::close(const pb::WriterRequest& request) {
    if (channel_ == nullptr || closing_) {
        fail(Status::error(ErrorCode::kInvalidArgument, "close of a tablet writer that is not open")
        );
        return;
    }
    closing_ = true;
    std::vector<IndexTablets> touched;
    for (const auto& entry : request.close().touched()) {
        touched.push_back(
            {static_cast<uint32_t>(entry.index()),
             {entry.tablet_ids().begin(), entry.tablet_ids().end()}}
        );
    }
    auto done = [self = shared_from_this()](const LoadCloseResult& result) {
        pb::WriterReply reply;
        to_proto(result.status, *reply.mutable_status());
        for (int64_t tablet_id : result.committed) {
            reply.add_committed_tablets(tablet_id);
        }
        for (const auto& [tablet_id, status] : result.failed) {
            auto* failed = reply.add_failed_tablets();
            failed->set_tablet_id(tablet_id);
            to_proto(status, *failed->mutable_status());
        }
        for (const auto& [tablet_id, num_keys] : result.missing_keys) {
            auto* missing = reply.add_missing_keys();
            missing->set_tablet_id(tablet_id);
            missing->set_num_keys(num_keys);
        }
        reply.set_closed(true);
        self->send(std::move(reply), true);
    };
    channel_->close_sender(sender_id_, std::move(touched), std::move(done));
}

void RemoteWriterSession::fail(const Status& status) {
    if (channel_ != nullptr) {
        channels_.cancel(channel_->options().load_id, status);
    }
    pb::WriterReply reply;
    to_proto(status, *reply.mutable_status());
    reply.set_closed(true);
    send(std::move(reply), true);
}

void RemoteWriterSession::send(pb::WriterReply reply, bool last) {
    MutexLock lock(mutex_);
    if (ended_ || !reply_) {
        return;
    }
    ended_ = last;
    reply.set_consumed_bytes(consumed_bytes_);
    auto reply_function = reply_;
    if (last) {
        reply_ = nullptr;
    }
    reply_function(std::move(reply), last);
}

void RemoteWriterSession::on_half_close() {
    if (!closing_) {
        fail(Status::error(
            ErrorCode::kCancelled, "the sender ended its stream without closing the load"
        ));
    }
}

void RemoteWriterSession::on_disconnect() {
    bool was_ended;
    {
        MutexLock lock(mutex_);
        was_ended = ended_;
        ended_ = true;
        reply_ = nullptr;
    }
    if (!was_ended && channel_ != nullptr) {
        channels_.cancel(
            channel_->options().load_id,
            Status::error(
                ErrorCode::kCancelled,
                "the sending back end of load {} is gone",
                channel_->options().load_id.to_string()
            )
        );
    }
}

}  // namespace thetis
