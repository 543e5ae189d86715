// SPDX-License-Identifier: Apache-2.0
// Tasks of schema changes.
#include "agent/row_conversion.h"
#include "agent/tablet_conversions.h"
#include "agent/tablet_tasks.h"
#include "backend_service_types.h"
#include "base/logging.h"
#include "storage/engine/storage_engine.h"
#include "storage/tablet/tablet.h"
#include "wire/status_codec.h"

namespace thetis {

namespace {

wire::AlterState::type to_wire(TabletConversions::State state) {
    switch (state) {
        case TabletConversions::State::kRunning:
            return wire::AlterState::RUNNING;
        case TabletConversions::State::kFinished:
            return wire::AlterState::FINISHED;
        case TabletConversions::State::kFailed:
            return wire::AlterState::FAILED;
        default:
            return wire::AlterState::UNKNOWN;
    }
}

}  // namespace

Status TabletTasks::start_conversion(int64_t job_id, const wire::AlterTablet& tablet) {
    ConversionRequest request;
    request.base_tablet_id = tablet.base_tablet_id;
    request.shadow_tablet_id = tablet.shadow_tablet_id;
    request.version = tablet.version;
    ASSIGN_OR_RETURN(const auto shadow, engine_.get_tablet(tablet.shadow_tablet_id));
    ASSIGN_OR_RETURN(request.base_schema, decode_schema_(tablet.base_schema));
    ASSIGN_OR_RETURN(
        request.transform,
        make_row_conversion(*request.base_schema, *shadow->schema(), tablet.expressions, functions_)
    );
    return conversions_.start(job_id, std::move(request));
}

void TabletTasks::alter_tablets(
    const wire::AlterTabletsRequest& request, wire::TabletTasksReply& reply
) {
    const Status status = check_token(request.token);
    reply.status = to_thrift(status);
    if (!status.ok()) {
        return;
    }
    for (const auto& tablet : request.tablets) {
        const Status started = start_conversion(request.job_id, tablet);
        count("schema_change", started);
        if (!started.ok()) {
            LOG_WARN(
                "conversion could not start job_id={} shadow_tablet_id={} reason={}",
                request.job_id,
                tablet.shadow_tablet_id,
                started.to_string()
            );
            wire::TabletFailure failure;
            failure.tablet_id = tablet.shadow_tablet_id;
            failure.status = to_thrift(started);
            reply.status = to_thrift(started.with_context("tablet {}", tablet.shadow_tablet_id));
            reply.failures.push_back(std::move(failure));
            reply.__isset.failures = true;
        }
    }
}

void TabletTasks::alter_progress(
    const std::vector<int64_t>& shadow_tablet_ids, std::vector<wire::AlterProgress>& progress
) {
    for (const int64_t tablet_id : shadow_tablet_ids) {
        const auto reached = conversions_.progress(tablet_id);
        wire::AlterProgress entry;
        entry.shadow_tablet_id = tablet_id;
        entry.state = to_wire(reached.state);
        if (!reached.status.ok()) {
            entry.__set_status(to_thrift(reached.status));
        }
        progress.push_back(std::move(entry));
    }
}

void TabletTasks::cancel_alter(const std::string& token, int64_t job_id, wire::StatusReply& reply) {
    const Status status = check_token(token);
    if (status.ok()) {
        conversions_.cancel(job_id);
    }
    count("cancel_schema_change", status);
    reply = to_thrift(status);
}

}  // namespace thetis
