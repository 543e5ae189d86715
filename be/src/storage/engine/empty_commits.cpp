// SPDX-License-Identifier: Apache-2.0
// The commit of tablets that a load had no rows for.
#include "storage/engine/local_storage_engine.h"

namespace thetis {

namespace {

RowsetMeta empty_rowset(
    const Tablet& tablet, int64_t txn_id, const std::string& load_id, std::string rowset_id
) {
    RowsetMeta meta;
    meta.rowset_id = std::move(rowset_id);
    meta.tablet_id = tablet.id();
    meta.txn_id = txn_id;
    meta.load_id = load_id;
    meta.creation_time = std::chrono::duration_cast<std::chrono::seconds>(
                             std::chrono::system_clock::now().time_since_epoch()
    )
                             .count();
    return meta;
}

}  // namespace

std::vector<TabletOutcome> LocalStorageEngine::commit_empty(
    int64_t txn_id, const std::string& load_id, std::span<const int64_t> tablet_ids
) {
    struct Group {
        MetadataChange change;
        std::vector<std::pair<size_t, RowsetPtr>> rowsets;  // Position among the outcomes.
    };

    std::map<DataDirectory*, Group> groups;
    std::vector<TabletOutcome> outcomes;
    std::vector<std::shared_ptr<Tablet>> tablets;
    for (const int64_t tablet_id : tablet_ids) {
        const size_t position = outcomes.size();
        outcomes.push_back({tablet_id, {}});
        const auto entry = find_entry(tablet_id);
        tablets.push_back(entry.has_value() ? entry->tablet : nullptr);
        if (!entry.has_value()) {
            outcomes.back().status = Status::error(
                ErrorCode::kTabletNotFound, "Tablet {} is not on this back end", tablet_id
            );
            continue;
        }
        if (const RowsetPtr earlier = entry->tablet->find_pending(txn_id);
            earlier != nullptr || entry->tablet->find_published(txn_id) != nullptr) {
            // The same load once more: its answer was lost.
            if (earlier != nullptr && earlier->meta().load_id != load_id) {
                outcomes.back().status = Status::error(
                    ErrorCode::kTransactionState,
                    "Transaction {} has a rowset of load {} in tablet {} already",
                    txn_id,
                    earlier->meta().load_id,
                    tablet_id
                );
            }
            continue;
        }
        RowsetMeta meta = empty_rowset(*entry->tablet, txn_id, load_id, next_rowset_id());
        Group& group = groups[entry->directory];
        group.change.put_rowset(meta);
        group.rowsets.emplace_back(
            position, make_rowset(*entry->tablet, *entry->directory, std::move(meta))
        );
    }
    for (auto& [directory, group] : groups) {
        const Status written = directory->metadata().apply(group.change, options_.sync_metadata);
        for (auto& [position, rowset] : group.rowsets) {
            outcomes[position].status = written;
            if (written.ok()) {
                tablets[position]->add_pending(std::move(rowset));
            }
        }
    }
    return outcomes;
}

}  // namespace thetis
