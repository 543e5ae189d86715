// SPDX-License-Identifier: Apache-2.0
// The part of the engine that decides when rowsets are merged, and makes the result visible.
#include <sys/resource.h>
#include <unistd.h>

#include "base/logging.h"
#include "storage/compaction/compaction.h"
#include "storage/compaction/compaction_policy.h"
#include "storage/engine/local_storage_engine.h"
#include "storage/fault.h"

namespace thetis {

namespace {

constexpr int kCompactionNice = 10;
constexpr auto kIdleWait = std::chrono::seconds(5);

int64_t unix_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch()
    )
        .count();
}

}  // namespace

void LocalStorageEngine::add_compaction_candidate(const Tablet& tablet) {
    if (tablet.num_versions() < CompactionLimits().min_score) {
        return;
    }
    MutexLock lock(background_mutex_);
    if (compaction_candidates_.insert(tablet.id()).second) {
        background_wake_.notify_all();
    }
}

void LocalStorageEngine::run_compactions() {
    set_thread_name("compaction");
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kCompactionNice);
    for (;;) {
        int64_t tablet_id = 0;
        {
            MutexLock lock(background_mutex_);
            while (!stopping_ &&
                   (compaction_candidates_.empty() || settings_.disable_auto_compaction())) {
                background_wake_.wait_for(background_mutex_, kIdleWait);
            }
            if (stopping_) {
                return;
            }
            tablet_id = compaction_candidates_.extract(compaction_candidates_.begin()).value();
        }
        const auto merged = compact_tablet(tablet_id);
        if (!merged.ok() && merged.status().code() != ErrorCode::kTabletNotFound) {
            LOG_WARN(
                "compaction failed tablet_id={} reason={}", tablet_id, merged.status().message()
            );
        }
        const auto tablet = find_tablet(tablet_id);
        if (merged.ok() && *merged && tablet != nullptr) {
            add_compaction_candidate(*tablet);
        }
    }
}

Result<bool> LocalStorageEngine::compact_tablet(int64_t tablet_id) {
    ASSIGN_OR_RETURN(const auto claim, busy_compactions_.claim(tablet_id));
    const auto entry = find_entry(tablet_id);
    if (!entry.has_value()) {
        return Status::error(
            ErrorCode::kTabletNotFound, "Tablet {} is not on this back end", tablet_id
        );
    }
    return compact(*entry);
}

Result<bool> LocalStorageEngine::compact(const Entry& entry) {
    const std::vector<RowsetPtr> rowsets = entry.tablet->contiguous_rowsets();
    std::vector<CompactionInput> sizes;
    for (const RowsetPtr& rowset : rowsets) {
        const RowsetMeta& meta = rowset->meta();
        sizes.push_back(
            {.size_bytes = meta.data_size_bytes,
             .num_segments = static_cast<int64_t>(meta.segments.size()),
             .is_overlapping = meta.is_overlapping}
        );
    }
    const auto pick = pick_compaction(sizes, CompactionLimits());
    if (!pick.has_value()) {
        return false;
    }
    RETURN_IF_ERROR(entry.directory->check_room(settings_.storage_flood_stage_usage_percent()));
    const std::vector<RowsetPtr> inputs(
        rowsets.begin() + static_cast<ptrdiff_t>(pick->begin),
        rowsets.begin() + static_cast<ptrdiff_t>(pick->end)
    );
    CompactionOutput output;
    output.fs = fs_;
    output.directory = entry.tablet->directory();
    output.rowset_id = next_rowset_id();
    output.write_buffer_bytes = settings_.write_buffer_size();
    output.sync_files = options_.sync_files;
    output.memory = load_memory_;
    output.debug_points = options_.debug_points;
    output.is_cancelled = [this] { return refuses_writers_.load(std::memory_order_relaxed); };
    ASSIGN_OR_RETURN(RowsetMeta meta, compact_rowsets(entry.tablet->schema(), inputs, output));
    meta.creation_time = unix_seconds();
    RowsetPtr merged = make_rowset(*entry.tablet, *entry.directory, meta);

    // One write batch: after a crash either the inputs or the output are known, and files of the
    // others are removed.
    Status status = strike(options_.debug_points, "Compaction.commit");
    ASSIGN_OR_RETURN(const auto claim, busy_tablets_.claim(entry.tablet->id()));
    const auto present = find_entry(entry.tablet->id());
    if (status.ok() && (!present.has_value() || present->tablet != entry.tablet)) {
        status = Status::error(
            ErrorCode::kTabletNotFound,
            "Tablet {} was dropped during its compaction",
            entry.tablet->id()
        );
    }
    if (status.ok()) {
        MetadataChange change;
        change.put_rowset(meta);
        for (const RowsetPtr& input : inputs) {
            change.remove_rowset(*input);
        }
        status = entry.directory->metadata().apply(change, options_.sync_metadata);
    }
    if (!status.ok()) {
        RETURN_IF_ERROR(merged->remove_files());
        return status;
    }
    RETURN_IF_ERROR(strike(options_.debug_points, "Compaction.commit.done"));
    entry.directory->add_used_bytes(meta.data_size_bytes);
    if (!entry.tablet->replace(inputs, std::move(merged), std::chrono::steady_clock::now())) {
        return Status::error(
            ErrorCode::kInternal,
            "Rowsets of tablet {} changed during their compaction",
            entry.tablet->id()
        );
    }
    LOG_INFO(
        "rowsets merged tablet_id={} versions={}-{} inputs={} rows={} bytes={}",
        entry.tablet->id(),
        meta.start_version,
        meta.end_version,
        inputs.size(),
        meta.num_rows,
        meta.data_size_bytes
    );
    return true;
}

void LocalStorageEngine::sweep_stale_rowsets() {
    const auto before = std::chrono::steady_clock::now() -
                        std::chrono::seconds(settings_.tablet_rowset_stale_sweep_time_sec());
    for (const Entry& entry : all_entries()) {
        for (const RowsetPtr& rowset : entry.tablet->take_stale(before)) {
            entry.directory->add_used_bytes(-rowset->meta().data_size_bytes);
            if (Status status = rowset->remove_files(); !status.ok()) {
                LOG_WARN(
                    "replaced rowset stays until the next start tablet_id={} reason={}",
                    entry.tablet->id(),
                    status.message()
                );
            }
        }
    }
}

}  // namespace thetis
