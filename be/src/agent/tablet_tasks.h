// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/cluster_state.h"
#include "base/status.h"
#include "storage/tablet_schema.h"

namespace thetis::wire {
class AlterProgress;
class AlterTablet;
class AlterTabletsRequest;
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
class TabletConversions;
struct FunctionRegistries;
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
        SchemaDecoder decode_schema,
        TabletConversions& conversions,
        const FunctionRegistries& functions
    )
        : engine_(engine),
          cluster_(cluster),
          debug_points_(debug_points),
          metrics_(metrics),
          decode_schema_(std::move(decode_schema)),
          conversions_(conversions),
          functions_(functions) {}

    void create_tablets(const wire::CreateTabletsRequest& request, wire::TabletTasksReply& reply);
    void drop_tablets(const wire::DropTabletsRequest& request, wire::TabletTasksReply& reply);
    void publish_version(const wire::PublishVersionRequest& request, wire::TabletTasksReply& reply);
    void clear_transactions(
        const wire::ClearTransactionsRequest& request, wire::StatusReply& reply
    );
    void delete_data(const wire::DeleteDataRequest& request, wire::TabletTasksReply& reply);
    void alter_tablets(const wire::AlterTabletsRequest& request, wire::TabletTasksReply& reply);
    void alter_progress(
        const std::vector<int64_t>& shadow_tablet_ids, std::vector<wire::AlterProgress>& progress
    );
    void cancel_alter(const std::string& token, int64_t job_id, wire::StatusReply& reply);
    void tablet_statistics(
        const std::vector<int64_t>& tablet_ids,
        const std::vector<int32_t>& column_unique_ids,
        wire::TabletStatistics& statistics
    );

private:
    Status check_token(const std::string& token) const;
    Status start_conversion(int64_t job_id, const wire::AlterTablet& tablet);
    void count(const char* type, const Status& status);

    StorageEngine& engine_;
    const ClusterState& cluster_;
    DebugPoints* debug_points_;
    MetricRegistry& metrics_;
    const SchemaDecoder decode_schema_;
    TabletConversions& conversions_;
    const FunctionRegistries& functions_;
};

wire::ReplicaReport to_wire(const TabletReport& report);

}  // namespace thetis
