// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/cluster_state.h"
#include "base/status.h"
#include "storage/tablet_schema.h"

namespace thetis::wire {
class ClearTransactionsRequest;
class CreateTabletsRequest;
class DeleteDataRequest;
class DropTabletsRequest;
class PublishVersionRequest;
class ReplicaReport;
class StatusReply;
class TabletSchemaDesc;
class TabletStatistics;
class TabletTasksReply;
}  // namespace thetis::wire

namespace thetis {

class DebugPoints;
class MetricRegistry;
class StorageEngine;
struct TabletReport;

/// Executes the front end's tablet tasks, synchronously; each checks the cluster's token first.
/// Thread-safe, idempotent.
class TabletTasks {
public:
    using SchemaDecoder = std::function<Result<TabletSchemaPtr>(const wire::TabletSchemaDesc&)>;

    /// All outlive this object; `debug_points` may be null.
    TabletTasks(
        StorageEngine& engine,
        const ClusterState& cluster,
        DebugPoints* debug_points,
        MetricRegistry& metrics,
        SchemaDecoder decode_schema
    )
        : engine_(engine),
          cluster_(cluster),
          debug_points_(debug_points),
          metrics_(metrics),
          decode_schema_(std::move(decode_schema)) {}

    void create_tablets(const wire::CreateTabletsRequest& request, wire::TabletTasksReply& reply);
    void drop_tablets(const wire::DropTabletsRequest& request, wire::TabletTasksReply& reply);
    void publish_version(const wire::PublishVersionRequest& request, wire::TabletTasksReply& reply);
    void clear_transactions(
        const wire::ClearTransactionsRequest& request, wire::StatusReply& reply
    );
    void delete_data(const wire::DeleteDataRequest& request, wire::TabletTasksReply& reply);
    void tablet_statistics(
        const std::vector<int64_t>& tablet_ids, wire::TabletStatistics& statistics
    );

private:
    Status check_token(const std::string& token) const;
    void count(const char* type, const Status& status);

    StorageEngine& engine_;
    const ClusterState& cluster_;
    DebugPoints* debug_points_;
    MetricRegistry& metrics_;
    const SchemaDecoder decode_schema_;
};

wire::ReplicaReport to_wire(const TabletReport& report);

}  // namespace thetis
