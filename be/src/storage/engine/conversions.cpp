// SPDX-License-Identifier: Apache-2.0
// The part of the engine that converts the history of a tablet for a change of its table's schema.
#include "base/logging.h"
#include "base/time.h"
#include "storage/engine/local_storage_engine.h"
#include "storage/fault.h"
#include "storage/tablet/load_marks.h"

namespace thetis {

namespace {

/// The first version that holds history of a table; [0-1] is empty in every tablet.
constexpr int64_t kFirstVersion = 2;

/// Rowsets of conversions are written under ids that no transaction has.
int64_t conversion_txn(int64_t shadow_tablet_id) {
    return -shadow_tablet_id;
}

/// The smallest readable version from `version` on: a compaction may have joined that one with
/// later ones, whose rows the shadow then takes from here instead of from the double writes.
Result<std::shared_ptr<const TabletReader>> open_base(
    const std::shared_ptr<Tablet>& base, const ConversionRequest& request, int64_t& version
) {
    ReadOptions options;
    options.column_unique_ids = request.transform->column_unique_ids();
    options.schema = request.base_schema;
    auto reader = TabletReader::open(base, request.version, options);
    version = request.version;
    for (const RowsetPtr& rowset : base->contiguous_rowsets()) {
        if (reader.ok() || reader.status().code() != ErrorCode::kMissingVersion) {
            break;
        }
        if (rowset->end_version() >= request.version) {
            version = rowset->end_version();
            reader = TabletReader::open(base, version, options);
        }
    }
    return reader;
}

Status check_cancelled(const ConversionRequest& request) {
    if (request.is_cancelled && request.is_cancelled()) {
        return Status::error(
            ErrorCode::kCancelled,
            "The conversion of tablet {} was cancelled",
            request.base_tablet_id
        );
    }
    return {};
}

Status copy_rows(
    const TabletReader& reader, const ConversionRequest& request, TabletWriter& writer
) {
    for (const ScanSplit& split : reader.splits()) {
        ASSIGN_OR_RETURN(const auto rows, reader.read(split));
        Batch batch;
        for (;;) {
            RETURN_IF_ERROR(check_cancelled(request));
            ASSIGN_OR_RETURN(const bool more, rows->next(batch));
            if (!more) {
                break;
            }
            ASSIGN_OR_RETURN(const Batch converted, request.transform->apply(batch.compact()));
            RETURN_IF_ERROR(writer.append(converted));
        }
    }
    return {};
}

}  // namespace

bool LocalStorageEngine::is_converted(int64_t shadow_tablet_id) const {
    const auto tablet = find_tablet(shadow_tablet_id);
    return tablet != nullptr && !tablet->is_shadow();
}

Status LocalStorageEngine::convert_tablet(const ConversionRequest& request) {
    ASSIGN_OR_RETURN(const auto claim, busy_conversions_.claim(request.shadow_tablet_id));
    const auto shadow = find_entry(request.shadow_tablet_id);
    ASSIGN_OR_RETURN(const auto base, get_tablet(request.base_tablet_id));
    if (!shadow.has_value()) {
        return Status::error(
            ErrorCode::kTabletNotFound,
            "Tablet {} is not on this back end",
            request.shadow_tablet_id
        );
    }
    if (!shadow->tablet->is_shadow()) {
        return {};  // Done before.
    }
    RETURN_IF_ERROR(strike(options_.debug_points, "SchemaChange.convert"));
    const int64_t txn_id = conversion_txn(request.shadow_tablet_id);
    // What a conversion left that did not come to its end.
    RETURN_IF_ERROR(drop_pending(*shadow, txn_id));
    int64_t version = request.version;
    if (version >= kFirstVersion) {
        ASSIGN_OR_RETURN(const auto reader, open_base(base, request, version));
        RETURN_IF_ERROR(check_room(*shadow->directory));
        const auto writer = make_writer(
            *shadow, {.txn_id = txn_id, .load_id = fmt::format("conversion to {}", version)}
        );
        RETURN_IF_ERROR(copy_rows(*reader, request, *writer));
        RETURN_IF_ERROR(strike(options_.debug_points, "SchemaChange.write"));
        RETURN_IF_ERROR(writer->close());
    }
    RETURN_IF_ERROR(check_cancelled(request));
    RETURN_IF_ERROR(strike(options_.debug_points, "SchemaChange.commit"));
    RETURN_IF_ERROR(finish_conversion(*shadow, txn_id, version));
    RETURN_IF_ERROR(strike(options_.debug_points, "SchemaChange.commit.done"));
    LOG_INFO(
        "tablet converted base_tablet_id={} shadow_tablet_id={} version={}",
        request.base_tablet_id,
        request.shadow_tablet_id,
        version
    );
    notify_changed();
    return {};
}

Status LocalStorageEngine::finish_conversion(const Entry& shadow, int64_t txn_id, int64_t version) {
    Tablet& tablet = *shadow.tablet;
    ASSIGN_OR_RETURN(const auto claim, busy_tablets_.claim(tablet.id()));
    RETURN_IF_ERROR(check_present(shadow));
    MetadataChange change;
    TabletMeta record = tablet.record();
    record.is_shadow = false;
    change.put_tablet(record);
    const RowsetPtr written = tablet.find_pending(txn_id);
    if (written == nullptr) {
        RETURN_IF_ERROR(shadow.directory->metadata().apply(change, options_.sync_metadata));
        tablet.end_shadow();
        return {};
    }
    RowsetMeta meta = written->meta();
    meta.is_visible = true;
    meta.start_version = kFirstVersion;
    meta.end_version = version;
    meta.creation_time = SystemClock().unix_seconds();
    change.put_rowset(meta);
    const RowsetPtr history = make_rowset(tablet, *shadow.directory, std::move(meta));
    // Double writes of versions that the history has as well.
    std::vector<RowsetPtr> covered;
    std::vector<RowsetPtr> later;
    for (const RowsetPtr& rowset : tablet.rowsets()) {
        if (rowset->start_version() > version) {
            later.push_back(rowset);
        } else if (rowset->start_version() >= kFirstVersion) {
            covered.push_back(rowset);
            change.remove_rowset(*rowset);
        }
    }
    std::vector<PlacedMarks> placed;
    if (tablet.schema()->is_merge_on_write()) {
        ASSIGN_OR_RETURN(placed, find_conversion_marks(history, std::move(later)));
    }
    for (const PlacedMarks& each : placed) {
        SegmentMarks all = each.marks;
        auto present = each.rowset->delete_bitmap().between(each.version - 1, each.version);
        for (const auto& [segment_id, rows] : present[each.version]) {
            add_marks(all, segment_id, rows);
        }
        change.put_delete_bitmap(tablet.id(), each.rowset->meta().rowset_id, each.version, all);
    }
    RETURN_IF_ERROR(shadow.directory->metadata().apply(change, options_.sync_metadata));
    for (const PlacedMarks& each : placed) {
        each.rowset->delete_bitmap().add(each.version, each.marks);
    }
    tablet.replace(covered, history, std::chrono::steady_clock::now());
    tablet.remove_pending(txn_id);
    tablet.end_shadow();
    add_compaction_candidate(tablet);
    return {};
}

Result<std::vector<LocalStorageEngine::PlacedMarks>> LocalStorageEngine::find_conversion_marks(
    const RowsetPtr& history, std::vector<RowsetPtr> later
) {
    std::vector<PlacedMarks> placed;
    // Rows of different keys may get one key by the conversion.
    LoadMarks within;
    RETURN_IF_ERROR(within.resolve_within(history));
    for (auto& [rowset_id, marks] : within.marks(history, {})) {
        placed.push_back({history, history->end_version(), std::move(marks)});
    }
    // Double writes met each other when they were published, but not the history.
    for (const RowsetPtr& rowset : later) {
        LoadMarks marks;
        RETURN_IF_ERROR(marks.resolve_visible(rowset, {&history, 1}));
        for (auto& [rowset_id, segments] : marks.marks(rowset, {&history, 1})) {
            const bool is_history = rowset_id == history->meta().rowset_id;
            placed.push_back(
                {is_history ? history : rowset, rowset->end_version(), std::move(segments)}
            );
        }
    }
    return placed;
}

}  // namespace thetis
