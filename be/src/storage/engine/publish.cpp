// SPDX-License-Identifier: Apache-2.0
// The part of the engine that turns written rowsets into versions: commit, publish, clear.
#include "base/logging.h"
#include "storage/engine/local_storage_engine.h"
#include "storage/fault.h"

namespace thetis {

struct LocalStorageEngine::PublishPlan {
    struct Step {
        std::shared_ptr<Tablet> tablet;
        RowsetPtr rowset;
        size_t outcome = 0;  // Position among the outcomes.
    };

    struct Group {
        MetadataChange change;
        std::vector<Step> steps;
    };

    std::map<DataDirectory*, Group> groups;
};

Result<bool> LocalStorageEngine::commit(const std::shared_ptr<Tablet>& tablet, RowsetMeta meta) {
    const auto entry = find_entry(tablet->id());
    if (!entry.has_value() || entry->tablet != tablet) {
        return Status::error(
            ErrorCode::kTabletNotFound, "Tablet {} was dropped during the load", tablet->id()
        );
    }
    ASSIGN_OR_RETURN(const auto claim, busy_tablets_.claim(tablet->id()));
    RowsetPtr earlier = tablet->find_pending(meta.txn_id);
    earlier = earlier == nullptr ? tablet->find_published(meta.txn_id) : earlier;
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
            tablet->id()
        );
    }
    MetadataChange change;
    change.put_rowset(meta);
    RETURN_IF_ERROR(entry->directory->metadata().apply(change, options_.sync_metadata));
    entry->directory->add_used_bytes(meta.data_size_bytes);
    tablet->add_pending(make_rowset(*tablet, *entry->directory, std::move(meta)));
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
    RowsetMeta meta = pending->meta();
    meta.is_visible = true;
    meta.start_version = meta.end_version = wanted.version;
    PublishPlan::Group& group = plan.groups[entry->directory];
    group.change.put_rowset(meta);
    group.steps.push_back(
        {entry->tablet, make_rowset(*entry->tablet, *entry->directory, std::move(meta)), outcome}
    );
    return {};
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
    PublishPlan plan;
    for (size_t i = 0; i < tablets.size(); ++i) {
        outcomes[i].status = plan_publish(txn_id, tablets[i], i, plan);
    }
    for (auto& [directory, group] : plan.groups) {
        const Status written = directory->metadata().apply(group.change, options_.sync_metadata);
        for (PublishPlan::Step& step : group.steps) {
            outcomes[step.outcome].status = written;
            if (written.ok()) {
                step.tablet->add_visible(std::move(step.rowset));
                add_compaction_candidate(*step.tablet);
            }
        }
    }
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
