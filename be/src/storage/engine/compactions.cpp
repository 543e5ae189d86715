// SPDX-License-Identifier: Apache-2.0
// The part of the engine that decides when rowsets are merged, and makes the result visible.
#include "base/logging.h"
#include "base/time.h"
#include "storage/compaction/compaction.h"
#include "storage/engine/local_storage_engine.h"
#include "storage/fault.h"

namespace thetis {

namespace {

constexpr int64_t kMegabyte = int64_t{1} << 20;
/// After a failure a tablet waits this long before it is tried again by itself.
constexpr int64_t kRetryAfterMs = 10'000;
constexpr auto kMemoryWaitStep = std::chrono::milliseconds(100);

std::vector<CompactionInput> describe(const std::vector<RowsetPtr>& rowsets) {
    std::vector<CompactionInput> inputs;
    for (const RowsetPtr& rowset : rowsets) {
        const RowsetMeta& meta = rowset->meta();
        inputs.push_back(
            {.start_version = meta.start_version,
             .end_version = meta.end_version,
             .num_rows = meta.num_rows,
             .size_bytes = meta.data_size_bytes,
             .num_segments = static_cast<int64_t>(meta.segments.size()),
             .creation_time = meta.creation_time,
             .is_overlapping = meta.is_overlapping,
             .is_delete = meta.is_delete()}
        );
    }
    return inputs;
}

/// Whether rewriting one rowset alone would still drop rows.
bool has_deleted_rows(const TabletSchema& schema, const std::vector<RowsetPtr>& rowsets) {
    return std::any_of(rowsets.begin(), rowsets.end(), [&](const RowsetPtr& rowset) {
        return schema.is_merge_on_write() && !rowset->delete_bitmap().versions().empty();
    });
}

}  // namespace

CompactionLimits LocalStorageEngine::compaction_limits(const Tablet& tablet) const {
    CompactionLimits limits;
    limits.min_score = settings_.cumulative_compaction_min_deltas();
    limits.max_score = settings_.cumulative_compaction_max_deltas();
    limits.promotion_ratio = settings_.compaction_promotion_ratio();
    limits.promotion_min_bytes = settings_.compaction_promotion_min_size_mbytes() * kMegabyte;
    limits.promotion_max_bytes = settings_.compaction_promotion_size_mbytes() * kMegabyte;
    limits.max_output_bytes = std::max(limits.max_output_bytes, limits.promotion_max_bytes);
    limits.base_min_rowsets = settings_.base_compaction_min_rowset_num();
    limits.base_max_score = settings_.base_compaction_max_compaction_score();
    limits.base_min_data_ratio = settings_.base_compaction_min_data_ratio();
    const TabletSchemaPtr schema = tablet.schema();
    if (schema->keys_model() == KeysModel::kDuplicate) {
        limits.base_skipped_bytes =
            settings_.base_compaction_dup_key_max_file_size_mbytes() * kMegabyte;
    }
    if (schema->is_merge_on_write()) {
        limits.promotion_versions = settings_.compaction_promotion_version_count();
    }
    return limits;
}

void LocalStorageEngine::add_compaction_candidate(const Tablet& tablet) {
    const bool is_many = tablet.num_versions() >= settings_.cumulative_compaction_min_deltas();
    if (is_many && compactions_ != nullptr && !tablet.is_shadow() && tablet.check_readable().ok()) {
        compactions_->add(tablet.id());
    }
}

void LocalStorageEngine::start_compactions() {
    CompactionScheduler::Options options;
    const int cpus = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    options.num_threads = std::min(
        cpus, settings_.compaction_task_num_per_disk() * static_cast<int>(directories_.size())
    );
    options.run = [this](int64_t tablet_id, std::optional<CompactionKind> kind) {
        return compact_tablet(tablet_id, kind);
    };
    options.score = [this](int64_t tablet_id) {
        const auto tablet = find_tablet(tablet_id);
        return tablet == nullptr ? int64_t{0} : tablet->summary().score;
    };
    options.is_paused = [this] { return settings_.disable_auto_compaction(); };
    compactions_ = std::make_unique<CompactionScheduler>(std::move(options));
    for (const Entry& entry : all_entries()) {
        add_compaction_candidate(*entry.tablet);
    }
    compactions_->start();
}

Result<bool> LocalStorageEngine::compact_tablet(
    int64_t tablet_id, std::optional<CompactionKind> kind
) {
    ASSIGN_OR_RETURN(const auto claim, busy_compactions_.claim(tablet_id));
    const auto entry = find_entry(tablet_id);
    if (!entry.has_value()) {
        return Status::error(
            ErrorCode::kTabletNotFound, "Tablet {} is not on this back end", tablet_id
        );
    }
    if (entry->tablet->is_shadow()) {
        return false;
    }
    RETURN_IF_ERROR(entry->tablet->check_readable());
    if (kind.has_value()) {
        return compact(*entry, *kind, true);
    }
    for (const CompactionKind each : {CompactionKind::kCumulative, CompactionKind::kBase}) {
        const CompactionHistory history =
            entry->tablet->compaction_history(static_cast<size_t>(each));
        const int64_t now = SystemClock().unix_millis();
        if (options_.background_interval_ms > 0 && now - history.last_failure_ms < kRetryAfterMs) {
            continue;
        }
        ASSIGN_OR_RETURN(const bool merged, compact(*entry, each, false));
        if (merged) {
            return true;
        }
    }
    return false;
}

Result<std::shared_ptr<RequestedCompaction>> LocalStorageEngine::request_compaction(
    int64_t tablet_id, CompactionKind kind
) {
    RETURN_IF_ERROR(get_tablet(tablet_id).status());
    if (compactions_ == nullptr) {
        auto request = std::make_shared<RequestedCompaction>();
        request->finish(compact_tablet(tablet_id, kind));
        return request;
    }
    return compactions_->request(tablet_id, kind);
}

std::map<int64_t, CompactionKind> LocalStorageEngine::active_compactions() const {
    return compactions_ == nullptr ? std::map<int64_t, CompactionKind>() : compactions_->active();
}

Result<bool> LocalStorageEngine::compact(const Entry& entry, CompactionKind kind, bool is_forced) {
    Tablet& tablet = *entry.tablet;
    const std::vector<RowsetPtr> rowsets = tablet.contiguous_rowsets();
    const std::vector<CompactionInput> inputs = describe(rowsets);
    const CompactionLimits limits = compaction_limits(tablet);
    int64_t point = tablet.cumulative_point();
    if (point == 0) {
        point = first_cumulative_point(inputs, limits);
    }
    const int64_t now_ms = SystemClock().unix_millis();
    std::optional<CompactionPick> pick;
    switch (kind) {
        case CompactionKind::kCumulative:
            pick = pick_cumulative(inputs, point, limits, is_forced);
            break;
        case CompactionKind::kBase:
            pick = pick_base(inputs, point, limits, now_ms / 1000, is_forced);
            break;
        case CompactionKind::kFull:
            pick = pick_full(inputs, point, has_deleted_rows(*tablet.schema(), rowsets));
            break;
    }
    if (!pick.has_value()) {
        return false;
    }
    const auto number = static_cast<size_t>(kind);
    CompactionHistory history = tablet.compaction_history(number);
    history.last_schedule_ms = now_ms;
    tablet.set_compaction_history(number, history);
    const std::vector<RowsetPtr> chosen(
        rowsets.begin() + static_cast<ptrdiff_t>(pick->begin),
        rowsets.begin() + static_cast<ptrdiff_t>(pick->end)
    );
    const Status status = chosen.empty() ? move_cumulative_point(entry, pick->cumulative_point)
                                         : merge(entry, kind, chosen, pick->cumulative_point);
    if (status.code() == ErrorCode::kCorruption) {
        tablet.note_damage(status);
    }
    history.last_status = status.ok() ? "[OK]" : status.to_string();
    (status.ok() ? history.last_success_ms : history.last_failure_ms) = SystemClock().unix_millis();
    tablet.set_compaction_history(number, history);
    RETURN_IF_ERROR(status);
    return true;
}

Status LocalStorageEngine::move_cumulative_point(const Entry& entry, int64_t point) {
    ASSIGN_OR_RETURN(const auto claim, busy_tablets_.claim(entry.tablet->id()));
    RETURN_IF_ERROR(check_present(entry));
    TabletMeta record = entry.tablet->record();
    record.cumulative_point = point;
    MetadataChange change;
    change.put_tablet(record);
    RETURN_IF_ERROR(entry.directory->metadata().apply(change, options_.sync_metadata));
    entry.tablet->set_cumulative_point(point);
    return {};
}

Status LocalStorageEngine::check_present(const Entry& entry) const {
    const auto present = find_entry(entry.tablet->id());
    if (!present.has_value() || present->tablet != entry.tablet) {
        return Status::error(
            ErrorCode::kTabletNotFound,
            "Tablet {} was dropped during its compaction",
            entry.tablet->id()
        );
    }
    return {};
}

CompactionTask LocalStorageEngine::describe_compaction(
    const Entry& entry, const std::vector<RowsetPtr>& inputs
) {
    CompactionTask task;
    task.schema = entry.tablet->schema();
    task.inputs = inputs;
    task.fs = fs_;
    task.directory = entry.tablet->directory();
    task.rowset_id = next_rowset_id();
    task.max_segment_bytes = settings_.vertical_compaction_max_segment_size();
    task.columns_per_group =
        static_cast<size_t>(settings_.vertical_compaction_num_columns_per_group());
    task.page_memory_bytes = settings_.compaction_memory_bytes_limit() / 16;
    // A partial update that begins later starts from what is merged here or newer.
    task.keeps_delete_signs = entry.tablet->oldest_update_base() < inputs.back()->end_version();
    task.sync_files = options_.sync_files;
    task.memory = compaction_memory_;
    task.debug_points = options_.debug_points;
    task.is_cancelled = [this] { return refuses_writers_.load(std::memory_order_relaxed); };
    return task;
}

Status LocalStorageEngine::reserve_compaction_memory(int64_t bytes) {
    MutexLock lock(background_mutex_);
    // Alone it may run whatever it takes: nothing would change by waiting.
    while (!stopping_ && compaction_bytes_ > 0 &&
           compaction_bytes_ + bytes > settings_.compaction_memory_bytes_limit()) {
        background_wake_.wait_for(background_mutex_, kMemoryWaitStep);
    }
    if (stopping_) {
        return Status::error(ErrorCode::kCancelled, "The storage engine is shutting down");
    }
    compaction_bytes_ += bytes;
    return {};
}

void LocalStorageEngine::release_compaction_memory(int64_t bytes) {
    MutexLock lock(background_mutex_);
    compaction_bytes_ -= bytes;
    background_wake_.notify_all();
}

Status LocalStorageEngine::merge(
    const Entry& entry,
    CompactionKind kind,
    const std::vector<RowsetPtr>& inputs,
    int64_t cumulative_point
) {
    RETURN_IF_ERROR(check_room(*entry.directory));
    const CompactionTask task = describe_compaction(entry, inputs);
    const auto held = hold_rowset_id(task.rowset_id);
    const int64_t memory = estimate_compaction_memory(task);
    RETURN_IF_ERROR(reserve_compaction_memory(memory));
    auto result = compact_rowsets(task);
    release_compaction_memory(memory);
    RETURN_IF_ERROR(result.status());
    RowsetMeta& meta = result->meta;
    meta.creation_time = SystemClock().unix_seconds();
    RowsetPtr merged = make_rowset(*entry.tablet, *entry.directory, meta);
    const Status status =
        replace_rowsets(entry, inputs, merged, result->positions, cumulative_point);
    if (!status.ok()) {
        RETURN_IF_ERROR(merged->remove_files());
        return status;
    }
    RETURN_IF_ERROR(strike(options_.debug_points, "Compaction.commit.done"));
    LOG_INFO(
        "rowsets merged tablet_id={} kind={} versions={}-{} inputs={} rows={} bytes={}",
        entry.tablet->id(),
        to_string(kind),
        meta.start_version,
        meta.end_version,
        inputs.size(),
        meta.num_rows,
        meta.data_size_bytes
    );
    return {};
}

Status LocalStorageEngine::replace_rowsets(
    const Entry& entry,
    const std::vector<RowsetPtr>& inputs,
    const RowsetPtr& merged,
    const RowPositions& positions,
    int64_t cumulative_point
) {
    RETURN_IF_ERROR(strike(options_.debug_points, "Compaction.commit"));
    ASSIGN_OR_RETURN(const auto claim, busy_tablets_.claim(entry.tablet->id()));
    RETURN_IF_ERROR(check_present(entry));
    if (!entry.tablet->holds(inputs)) {
        return Status::error(
            ErrorCode::kInternal,
            "Rowsets of tablet {} changed during their compaction",
            entry.tablet->id()
        );
    }
    // One write batch: after a crash either the inputs or the output are known, and files of the
    // others are removed.
    MetadataChange change;
    change.put_rowset(merged->meta());
    for (const RowsetPtr& input : inputs) {
        change.remove_rowset(*input);
    }
    move_marks(inputs, *merged, positions, change);
    TabletMeta record = entry.tablet->record();
    record.cumulative_point = cumulative_point;
    change.put_tablet(record);
    RETURN_IF_ERROR(entry.directory->metadata().apply(change, options_.sync_metadata));
    entry.directory->add_used_bytes(merged->meta().data_size_bytes);
    entry.tablet->set_cumulative_point(cumulative_point);
    // Held above, and only compactions replace rowsets: of one tablet one at a time.
    entry.tablet->replace(inputs, merged, std::chrono::steady_clock::now());
    return {};
}

void LocalStorageEngine::move_marks(
    const std::vector<RowsetPtr>& inputs,
    const Rowset& merged,
    const RowPositions& positions,
    MetadataChange& change
) {
    if (positions.empty()) {
        return;
    }
    const RowsetMeta& meta = merged.meta();
    std::map<int64_t, SegmentMarks> by_version;
    for (const RowsetPtr& input : inputs) {
        for (const auto& [version, marks] :
             input->delete_bitmap().between(meta.end_version, INT64_MAX)) {
            for (const auto& [segment_id, rows] :
                 positions.translate(input->meta().rowset_id, marks, meta.segments)) {
                add_marks(by_version[version], segment_id, rows);
            }
        }
    }
    for (const auto& [version, marks] : by_version) {
        change.put_delete_bitmap(meta.tablet_id, meta.rowset_id, version, marks);
        merged.delete_bitmap().add(version, marks);
    }
}

void LocalStorageEngine::sweep_stale_rowsets() {
    const auto before = std::chrono::steady_clock::now() -
                        std::chrono::seconds(settings_.tablet_rowset_stale_sweep_time_sec());
    for (const Entry& entry : all_entries()) {
        entry.tablet->drop_idle_point_views();
        for (const RowsetPtr& rowset : entry.tablet->take_stale(before)) {
            entry.directory->add_used_bytes(-rowset->meta().data_size_bytes);
            if (Status status = rowset->remove_files(); !status.ok()) {
                LOG_WARN(
                    "replaced rowset stays until it is found as an orphan tablet_id={} reason={}",
                    entry.tablet->id(),
                    status.message()
                );
            }
        }
    }
}

}  // namespace thetis
