// SPDX-License-Identifier: Apache-2.0
#include "agent/tablet_tasks.h"

#include "backend_service_types.h"
#include "base/debug_points.h"
#include "base/logging.h"
#include "base/metrics.h"
#include "base/time.h"
#include "storage/engine/storage_engine.h"
#include "storage/tablet/column_summary.h"
#include "wire/status_codec.h"
#include "wire/thrift_codec.h"

namespace thetis {

namespace {

/// The reply's status is the first failure's; all failures are listed.
void add_failure(wire::TabletTasksReply& reply, int64_t tablet_id, const Status& status) {
    wire::TabletFailure failure;
    failure.tablet_id = tablet_id;
    failure.status = to_thrift(status);
    if (reply.failures.empty()) {
        reply.status = to_thrift(status.with_context("tablet {}", tablet_id));
    }
    reply.failures.push_back(std::move(failure));
    reply.__isset.failures = true;
}

}  // namespace

Status TabletTasks::check_token(const std::string& token) const {
    auto membership = cluster_.membership();
    if (!membership.has_value()) {
        return Status::error(
            ErrorCode::kAccessDenied, "this back end has had no heartbeat since its start"
        );
    }
    if (membership->token != token) {
        return Status::error(
            ErrorCode::kAccessDenied,
            "the task's token is not that of cluster {}",
            membership->cluster_id
        );
    }
    return {};
}

void TabletTasks::count(const char* type, const Status& status) {
    metrics_
        .counter(
            "engine_requests_total",
            "Tasks of the front end.",
            fmt::format("type=\"{}\",status=\"total\"", type)
        )
        .add();
    if (!status.ok()) {
        metrics_
            .counter(
                "engine_requests_total",
                "Tasks of the front end.",
                fmt::format("type=\"{}\",status=\"failed\"", type)
            )
            .add();
    }
}

void TabletTasks::create_tablets(
    const wire::CreateTabletsRequest& request, wire::TabletTasksReply& reply
) {
    Status status = check_token(request.token);
    reply.status = to_thrift(status);
    if (!status.ok()) {
        return;
    }
    // Tablets of one statement mostly share their schema.
    const wire::TabletSchemaDesc* last_desc = nullptr;
    TabletSchemaPtr schema;
    for (const auto& tablet : request.tablets) {
        Status created;
        if (last_desc == nullptr || !(*last_desc == tablet.schema)) {
            auto converted = decode_schema_(tablet.schema);
            created = converted.status();
            schema = converted.ok() ? converted.take() : nullptr;
            last_desc = converted.ok() ? &tablet.schema : nullptr;
        }
        if (created.ok() && debug_points_ != nullptr &&
            debug_points_->hit("TabletTasks.create_tablets.fail")) {
            created =
                Status::error(ErrorCode::kInternal, "debug point TabletTasks.create_tablets.fail");
        }
        if (created.ok()) {
            created = engine_.create_tablet(
                {.tablet_id = tablet.tablet_id,
                 .partition_id = tablet.partition_id,
                 .replica_id = tablet.replica_id,
                 .schema = schema,
                 .version = tablet.version,
                 .is_shadow = tablet.is_shadow}
            );
        }
        count("create_tablet", created);
        if (!created.ok()) {
            LOG_WARN(
                "tablet could not be created tablet_id={} reason={}",
                tablet.tablet_id,
                created.to_string()
            );
            add_failure(reply, tablet.tablet_id, created);
        }
    }
}

void TabletTasks::drop_tablets(
    const wire::DropTabletsRequest& request, wire::TabletTasksReply& reply
) {
    Status status = check_token(request.token);
    reply.status = to_thrift(status);
    if (!status.ok()) {
        return;
    }
    for (int64_t tablet_id : request.tablet_ids) {
        Status dropped = engine_.drop_tablet(tablet_id);
        count("drop_tablet", dropped);
        if (!dropped.ok()) {
            add_failure(reply, tablet_id, dropped);
        }
    }
}

void TabletTasks::publish_version(
    const wire::PublishVersionRequest& request, wire::TabletTasksReply& reply
) {
    Status status = check_token(request.token);
    if (status.ok() && debug_points_ != nullptr &&
        debug_points_->hit("TabletTasks.publish_version.fail")) {
        status =
            Status::error(ErrorCode::kInternal, "debug point TabletTasks.publish_version.fail");
    }
    reply.status = to_thrift(status);
    if (!status.ok()) {
        return;
    }
    Stopwatch watch;
    std::vector<TabletVersion> tablets;
    for (const auto& partition : request.partitions) {
        for (int64_t tablet_id : partition.tablet_ids) {
            tablets.push_back({tablet_id, partition.version});
        }
    }
    for (const auto& outcome : engine_.publish_version(request.txn_id, tablets)) {
        if (!outcome.status.ok()) {
            add_failure(reply, outcome.tablet_id, outcome.status);
        }
    }
    count("publish", from_thrift(reply.status));
    LOG_INFO(
        "transaction published txn_id={} tablets={} failed={} us={}",
        request.txn_id,
        tablets.size(),
        reply.failures.size(),
        watch.elapsed_micros()
    );
}

void TabletTasks::clear_transactions(
    const wire::ClearTransactionsRequest& request, wire::StatusReply& reply
) {
    Status status = check_token(request.token);
    for (int64_t txn_id : request.txn_ids) {
        if (!status.ok()) {
            break;
        }
        status = engine_.clear_transaction(txn_id).with_context("transaction {}", txn_id);
    }
    count("clear_transactions", status);
    reply = to_thrift(status);
}

void TabletTasks::delete_data(
    const wire::DeleteDataRequest& request, wire::TabletTasksReply& reply
) {
    Status status = check_token(request.token);
    TabletSchemaPtr schema;
    std::string condition;
    if (status.ok() && request.__isset.schema) {
        auto decoded = decode_schema_(request.schema);
        status = decoded.status();
        schema = decoded.ok() ? decoded.take() : nullptr;
    }
    if (status.ok()) {
        auto encoded = encode_compact(request.predicate);
        status = encoded.status();
        condition = encoded.ok() ? encoded.take() : std::string();
    }
    reply.status = to_thrift(status);
    if (!status.ok()) {
        return;
    }
    for (const int64_t tablet_id : request.tablet_ids) {
        const Status deleted = engine_.delete_data({request.txn_id, tablet_id, condition, schema});
        count("delete", deleted);
        if (!deleted.ok()) {
            add_failure(reply, tablet_id, deleted);
        }
    }
}

void TabletTasks::tablet_statistics(
    const std::vector<int64_t>& tablet_ids,
    const std::vector<int32_t>& column_unique_ids,
    wire::TabletStatistics& statistics
) {
    for (const auto& report : engine_.tablet_reports(tablet_ids)) {
        statistics.replicas.push_back(to_wire(report));
        auto tablet = column_unique_ids.empty() ? nullptr : engine_.find_tablet(report.tablet_id);
        if (tablet == nullptr) {
            continue;
        }
        auto summaries = summarize_columns(*tablet, column_unique_ids);
        if (!summaries.ok()) {
            LOG_WARN(
                "columns of a tablet could not be summarized tablet_id={} reason={}",
                report.tablet_id,
                summaries.status().to_string()
            );
            continue;
        }
        for (const ColumnSummary& summary : *summaries) {
            wire::ColumnStatistics column;
            column.tablet_id = report.tablet_id;
            column.column_unique_id = summary.unique_id;
            column.num_distinct = summary.num_distinct;
            if (summary.min.has_value() && summary.max.has_value()) {
                column.__set_min(*summary.min);
                column.__set_max(*summary.max);
            }
            statistics.columns.push_back(std::move(column));
            statistics.__isset.columns = true;
        }
    }
}

wire::ReplicaReport to_wire(const TabletReport& report) {
    wire::ReplicaReport replica;
    replica.tablet_id = report.tablet_id;
    replica.version = report.version;
    replica.num_rows = report.num_rows;
    replica.data_size_bytes = report.data_size_bytes;
    replica.version_miss = report.max_version > report.version;
    replica.used = report.is_usable;
    replica.num_versions = report.num_versions;
    replica.__set_schema_version(report.schema_version);
    replica.__set_partition_id(report.partition_id);
    return replica;
}

}  // namespace thetis
