// SPDX-License-Identifier: Apache-2.0
// The part of the engine that turns written rowsets into versions: commit, publish, clear.
#include "base/logging.h"
#include "storage/engine/local_storage_engine.h"
#include "storage/engine/publish_plan.h"
#include "storage/fault.h"
#include "storage/tablet/load_marks.h"

namespace thetis {

namespace {

/// How long a merge-on-write version waits for the one before it, which is on its way as a rule.
constexpr auto kPredecessorWait = std::chrono::seconds(3);

Status missing_predecessor(const TabletVersion& wanted) {
    return Status::error(
        ErrorCode::kMissingVersion,
        "Tablet {} cannot take version {} before version {}",
        wanted.tablet_id,
        wanted.version,
        wanted.version - 1
    );
}

}  // namespace

Result<bool> LocalStorageEngine::commit(
    const std::shared_ptr<Tablet>& tablet, RowsetMeta meta, const TabletSchemaPtr& schema
) {
    const auto entry = find_entry(tablet->id());
    if (!entry.has_value() || entry->tablet != tablet) {
        return Status::error(
            ErrorCode::kTabletNotFound, "Tablet {} was dropped during the load", tablet->id()
        );
    }
    const RowsetPtr rowset = make_rowset(*tablet, *entry->directory, std::move(meta));
    ASSIGN_OR_RETURN(auto marks, find_marks(*tablet, rowset));
    RETURN_IF_ERROR(strike(options_.debug_points, "StorageEngine.commit.marked"));
    ASSIGN_OR_RETURN(const auto claim, busy_tablets_.claim(tablet->id()));
    return record_commit(*entry, rowset, std::move(marks), schema);
}

Result<bool> LocalStorageEngine::record_commit(
    const Entry& entry,
    const RowsetPtr& rowset,
    std::shared_ptr<LoadMarks> marks,
    const TabletSchemaPtr& schema
) {
    Tablet& tablet = *entry.tablet;
    const RowsetMeta& meta = rowset->meta();
    RowsetPtr earlier = tablet.find_pending(meta.txn_id);
    earlier = earlier == nullptr ? tablet.find_published(meta.txn_id) : earlier;
    if (earlier != nullptr) {
        // The same load once more (its answer was lost) is fine; another one under the same
        // transaction would lose rows.
        if (earlier->meta().load_id == meta.load_id && earlier->meta().num_rows == meta.num_rows) {
            return false;
        }
        return Status::error(
            ErrorCode::kTransactionState,
            "Transaction {} has a rowset of load {} in tablet {} already",
            meta.txn_id,
            earlier->meta().load_id,
            tablet.id()
        );
    }
    MetadataChange change;
    change.put_rowset(meta);
    const bool is_newer =
        schema != nullptr && schema->schema_version() > tablet.schema()->schema_version();
    if (is_newer) {
        TabletMeta record = tablet.record();
        record.schema = schema;
        change.put_tablet(record);
    }
    RETURN_IF_ERROR(entry.directory->metadata().apply(change, options_.sync_metadata));
    if (is_newer) {
        tablet.set_schema(schema);
    }
    entry.directory->add_used_bytes(meta.data_size_bytes);
    tablet.add_pending(rowset, std::move(marks));
    return true;
}

Status LocalStorageEngine::drop_pending(const Entry& entry, int64_t txn_id) {
    const RowsetPtr rowset = entry.tablet->find_pending(txn_id);
    if (rowset == nullptr) {
        return {};
    }
    MetadataChange change;
    change.remove_rowset(*rowset);
    RETURN_IF_ERROR(entry.directory->metadata().apply(change, options_.sync_metadata));
    entry.tablet->remove_pending(txn_id);
    entry.directory->add_used_bytes(-rowset->meta().data_size_bytes);
    return rowset->remove_files();
}

Status LocalStorageEngine::plan_publish(
    int64_t txn_id, const TabletVersion& wanted, size_t outcome, PublishPlan& plan
) {
    const auto entry = find_entry(wanted.tablet_id);
    if (!entry.has_value()) {
        return Status::error(
            ErrorCode::kTabletNotFound, "Tablet {} is not on this back end", wanted.tablet_id
        );
    }
    const RowsetPtr pending = entry->tablet->find_pending(txn_id);
    if (entry->tablet->has_version(wanted.version)) {
        // Published before; what is pending besides came by another way too (a repair) and is not
        // needed.
        return drop_pending(*entry, txn_id);
    }
    if (pending == nullptr) {
        return Status::error(
            ErrorCode::kTransactionNotFound,
            "Tablet {} has no rowset of transaction {} to publish as version {}",
            wanted.tablet_id,
            txn_id,
            wanted.version
        );
    }
    // A tablet that waited for nothing as a shadow may have got its history since.
    if (entry->tablet->schema()->is_merge_on_write() && !entry->tablet->is_shadow() &&
        !entry->tablet->has_version(wanted.version - 1)) {
        return missing_predecessor(wanted);
    }
    PublishStep step;
    step.tablet = entry->tablet;
    step.meta = pending->meta();
    step.written = pending;
    step.outcome = outcome;
    const Status completed = complete_marks(*entry, pending, step);
    if (completed.code() == ErrorCode::kCorruption) {
        entry->tablet->note_damage(completed);
    }
    RETURN_IF_ERROR(completed);
    step.meta.is_visible = true;
    step.meta.start_version = step.meta.end_version = wanted.version;
    if (!entry->tablet->is_shadow()) {
        step.meta.partial_update.reset();
    }
    PublishPlan::Group& group = plan.groups[entry->directory];
    group.change.put_rowset(step.meta);
    for (const auto& [rowset_id, marks] : step.marks) {
        group.change.put_delete_bitmap(wanted.tablet_id, rowset_id, wanted.version, marks);
    }
    step.added_bytes = step.meta.data_size_bytes - pending->meta().data_size_bytes;
    step.rowset = make_rowset(*entry->tablet, *entry->directory, step.meta, step.written.get());
    group.steps.push_back(std::move(step));
    return {};
}

Status LocalStorageEngine::wait_for_predecessor(const TabletVersion& wanted, SteadyTime deadline)
    const {
    const auto tablet = find_tablet(wanted.tablet_id);
    if (tablet == nullptr || !tablet->schema()->is_merge_on_write() || tablet->is_shadow() ||
        tablet->wait_for_version(wanted.version - 1, deadline)) {
        return {};
    }
    return missing_predecessor(wanted);
}

void LocalStorageEngine::publish_all(
    int64_t txn_id, std::span<const TabletVersion> tablets, std::vector<TabletOutcome>& outcomes
) {
    // Claims in the order of ids: publishes that share tablets do not wait for each other in a
    // circle.
    std::map<int64_t, size_t> by_id;
    const SteadyTime deadline = std::chrono::steady_clock::now() + kPredecessorWait;
    for (size_t i = 0; i < tablets.size(); ++i) {
        outcomes[i].status = wait_for_predecessor(tablets[i], deadline);
        if (outcomes[i].status.ok() && !by_id.emplace(tablets[i].tablet_id, i).second) {
            outcomes[i].status = Status::error(
                ErrorCode::kInvalidArgument,
                "Tablet {} is named twice in one publish",
                tablets[i].tablet_id
            );
        }
    }
    std::vector<BusyIds::Claim> claims;
    PublishPlan plan;
    for (const auto& [tablet_id, position] : by_id) {
        auto claim = busy_tablets_.claim(tablet_id);
        outcomes[position].status =
            claim.ok() ? plan_publish(txn_id, tablets[position], position, plan) : claim.status();
        if (claim.ok()) {
            claims.push_back(claim.take());
        }
    }
    const Status fault = strike(options_.debug_points, "StorageEngine.publish.marked");
    for (auto& [directory, group] : plan.groups) {
        const Status written =
            fault.ok() ? directory->metadata().apply(group.change, options_.sync_metadata) : fault;
        for (PublishStep& step : group.steps) {
            outcomes[step.outcome].status = written;
            if (written.ok()) {
                directory->add_used_bytes(step.added_bytes);
                make_visible(step);
            }
        }
    }
}

void LocalStorageEngine::make_visible(PublishStep& step) {
    // Marks first: whoever sees the version sees them.
    const int64_t version = step.meta.end_version;
    step.replaced.push_back(step.rowset);
    for (const RowsetPtr& rowset : step.replaced) {
        if (const auto found = step.marks.find(rowset->meta().rowset_id);
            found != step.marks.end()) {
            rowset->delete_bitmap().add(version, found->second);
        }
    }
    step.tablet->add_visible(std::move(step.rowset));
    add_compaction_candidate(*step.tablet);
}

std::vector<TabletOutcome> LocalStorageEngine::publish_version(
    int64_t txn_id, std::span<const TabletVersion> tablets
) {
    std::vector<TabletOutcome> outcomes;
    for (const TabletVersion& wanted : tablets) {
        outcomes.push_back({wanted.tablet_id, {}});
    }
    const auto claim = busy_transactions_.claim(txn_id);
    Status fault = strike(options_.debug_points, "StorageEngine.publish");
    if (!claim.ok() || !fault.ok()) {
        for (TabletOutcome& outcome : outcomes) {
            outcome.status = claim.ok() ? fault : claim.status();
        }
        return outcomes;
    }
    publish_all(txn_id, tablets, outcomes);
    fault = strike(options_.debug_points, "StorageEngine.publish.done");
    if (!fault.ok()) {
        LOG_WARN("publish answers with a fault txn_id={} reason={}", txn_id, fault.message());
        for (TabletOutcome& outcome : outcomes) {
            outcome.status = fault;
        }
    }
    notify_changed();
    return outcomes;
}

Status LocalStorageEngine::clear_transaction(int64_t txn_id) {
    ASSIGN_OR_RETURN(const auto claim, busy_transactions_.claim(txn_id));
    Status first_failure;
    for (const Entry& entry : all_entries()) {
        if (Status status = drop_pending(entry, txn_id); !status.ok() && first_failure.ok()) {
            first_failure = status;
        }
    }
    return first_failure;
}

std::vector<int64_t> LocalStorageEngine::pending_transactions() const {
    std::set<int64_t> transactions;
    for (const Entry& entry : all_entries()) {
        for (const int64_t txn_id : entry.tablet->pending_transactions()) {
            if (txn_id >= 0) {  // Below are conversions, which no front end knows.
                transactions.insert(txn_id);
            }
        }
    }
    return {transactions.begin(), transactions.end()};
}

}  // namespace thetis
