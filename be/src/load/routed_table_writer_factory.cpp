// SPDX-License-Identifier: Apache-2.0
#include "exec/pipeline/exec_context.h"
#include "exec/scan/row_source.h"
#include "load/load_channels.h"
#include "load/routed_table_writer.h"
#include "plan_types.h"
#include "wire/data_plane_client.h"

namespace thetis {

Result<std::shared_ptr<TableWriter>> RoutedTableWriterFactory::open(
    const wire::TableSink& sink, ExecContext& context
) {
    ASSIGN_OR_RETURN(
        auto router, PartitionRouter::make(sink.partitions, sink.schema, sink.load_to_single_tablet)
    );
    int64_t timeout_ms = std::max<int64_t>(1, sink.timeout_ms);
    LoadChannelOptions channel_options;
    channel_options.load_id = {sink.load_id.high, sink.load_id.low};
    channel_options.txn_id = sink.txn_id;
    channel_options.deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
    channel_options.num_senders = std::max(1, sink.num_senders);
    int sender_id = static_cast<int>(context.backend_id);

    std::set<int64_t> wanted;
    for (const auto& tablet : router->tablets()) {
        wanted.insert(tablet.backend_ids.begin(), tablet.backend_ids.end());
    }
    RoutedTableWriter::Backends backends;
    for (const auto& backend : sink.backends) {
        if (!wanted.contains(backend.id)) {
            continue;
        }
        if (backend.id == context.backend_id) {
            ASSIGN_OR_RETURN(auto channel, channels_.open(channel_options));
            backends[backend.id] = make_local_writer(std::move(channel), sender_id);
        } else if (data_plane_ == nullptr) {
            return Status::error(
                ErrorCode::kNotSupported, "writing to back end {} needs the data plane", backend.id
            );
        } else {
            RemoteWriterTarget target{
                backend.host, backend.brpc_port, sink.schema.table_id, sender_id, timeout_ms
            };
            backends[backend.id] = make_remote_writer(*data_plane_, target, channel_options);
        }
    }
    RoutedWriterOptions options;
    options.fail_without_partition = context.row_errors == nullptr && sink.strict_mode;
    auto writer = std::make_shared<RoutedTableWriter>(
        options, std::move(router), std::move(backends), context.row_errors
    );
    // The query's cancel must reach the other back ends even when no task runs.
    context.on_cancel([weak = std::weak_ptr<RoutedTableWriter>(writer)](const Status& reason) {
        if (auto live = weak.lock()) {
            live->cancel(reason);
        }
    });
    return std::shared_ptr<TableWriter>(std::move(writer));
}

}  // namespace thetis
