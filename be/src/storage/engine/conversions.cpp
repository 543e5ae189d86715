// SPDX-License-Identifier: Apache-2.0
// The part of the engine that converts the history of a tablet for a change of its table's schema.
//
// Merge-on-write: until the history is there, a double-written version is kept as it came: what its
// rows replace is not known, and a partial update has only the columns that were sent, converted
// one by one like any others. settle_double_writes() then does, in the order of versions, what
// publishing would have done: a partial update takes the other columns from the rows below it. Both
// the base and the shadow make a row of version v from what was sent and from the row of version
// v - 1 alone; every column of the shadow is made of one column of the base, so by induction from
// the history on the shadow's rows are the base's rows converted, whatever the replicas had of
// other loads when theirs were written. Writes after that are those of any tablet.
#include <thread>

#include "base/logging.h"
#include "base/time.h"
#include "storage/engine/local_storage_engine.h"
#include "storage/fault.h"
#include "storage/index/split_block_filter.h"
#include "storage/tablet/load_marks.h"
#include "storage/tablet/memtable_tablet_writer.h"
#include "storage/tablet/partial_update.h"

namespace thetis {

namespace {

/// The first version that holds history of a table; [0-1] is empty in every tablet.
constexpr int64_t kFirstVersion = 2;

/// How long the end of a conversion waits for versions that are missing between others.
constexpr auto kGapWait = std::chrono::seconds(20);
constexpr auto kGapPoll = std::chrono::milliseconds(50);

/// A conversion that is cut off loses no more than what it wrote of so many rows.
constexpr int64_t kPartRows = int64_t{4} << 20;

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

/// Tells apart everything that decides what the pieces of a read hold.
Result<uint64_t> identify(const Tablet& base, const TabletReader& reader, int64_t version) {
    ASSIGN_OR_RETURN(const auto snapshot, base.snapshot(version));
    std::string all = fmt::format("{}", version);
    for (const RowsetPtr& rowset : snapshot->rowsets) {
        all += fmt::format(" {}", rowset->meta().rowset_id);
    }
    for (const ScanSplit& split : reader.splits()) {
        all += fmt::format(
            "; {} {} {} {}:{} {}:{}",
            split.source.segment == nullptr ? "" : split.source.segment->path(),
            split.first_row,
            split.num_rows,
            split.low.size(),
            split.low,
            split.high.size(),
            split.high
        );
    }
    return SplitBlockFilter::hash(all);
}

Status copy_rows(
    const TabletReader& reader,
    const ScanSplit& split,
    const ConversionRequest& request,
    TabletWriter& writer
) {
    ASSIGN_OR_RETURN(const auto rows, reader.read(split));
    Batch batch;
    for (;;) {
        RETURN_IF_ERROR(check_cancelled(request));
        ASSIGN_OR_RETURN(const bool more, rows->next(batch));
        if (!more) {
            return {};
        }
        ASSIGN_OR_RETURN(const Batch converted, request.transform->apply(batch.compact()));
        RETURN_IF_ERROR(writer.append(converted));
    }
}

/// `later`: ascending, above the history.
Status check_contiguous(const Tablet& shadow, int64_t history, std::span<const RowsetPtr> later) {
    int64_t expected = std::max(history, kFirstVersion - 1) + 1;
    for (const RowsetPtr& rowset : later) {
        if (rowset->start_version() != expected) {
            return Status::error(
                ErrorCode::kMissingVersion,
                "Tablet {} has version {} but not version {}",
                shadow.id(),
                rowset->start_version(),
                expected
            );
        }
        expected = rowset->end_version() + 1;
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
    int64_t version = request.version;
    if (version >= kFirstVersion) {
        ASSIGN_OR_RETURN(const auto reader, open_base(base, request, version));
        RETURN_IF_ERROR(check_room(*shadow->directory));
        RETURN_IF_ERROR(write_history(*shadow, *base, *reader, request, version));
    }
    RETURN_IF_ERROR(check_cancelled(request));
    RETURN_IF_ERROR(strike(options_.debug_points, "SchemaChange.commit"));
    const SteadyTime deadline = std::chrono::steady_clock::now() + kGapWait;
    for (;;) {
        // Shadows take versions in any order: one that another overtook is on its way as a rule.
        const Status finished = finish_conversion(*shadow, txn_id, version);
        if (finished.ok()) {
            break;
        }
        if (finished.code() != ErrorCode::kMissingVersion ||
            std::chrono::steady_clock::now() >= deadline) {
            return finished;
        }
        RETURN_IF_ERROR(check_cancelled(request));
        std::this_thread::sleep_for(kGapPoll);
    }
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

Status LocalStorageEngine::write_history(
    const Entry& shadow,
    const Tablet& base,
    const TabletReader& reader,
    const ConversionRequest& request,
    int64_t version
) {
    const int64_t txn_id = conversion_txn(shadow.tablet->id());
    ASSIGN_OR_RETURN(const uint64_t source, identify(base, reader, version));
    ConversionProgress reached{.version = version, .source = source, .num_splits = 0};
    RowsetPtr recorded = shadow.tablet->find_pending(txn_id);
    if (recorded != nullptr) {
        const auto& before = recorded->meta().conversion;
        RETURN_IF_ERROR(drop_unrecorded_files(shadow, recorded->meta()));
        if (before.has_value() && before->version == version && before->source == source) {
            reached.num_splits = before->num_splits;
            LOG_INFO(
                "conversion goes on shadow_tablet_id={} version={} splits={}/{} rows={}",
                request.shadow_tablet_id,
                version,
                reached.num_splits,
                reader.splits().size(),
                recorded->meta().num_rows
            );
        } else {
            // The base was compacted meanwhile: what was read is no longer there piece by piece.
            RETURN_IF_ERROR(drop_pending(shadow, txn_id));
            recorded = nullptr;
        }
    }
    const bool is_split_by_split =
        options_.debug_points != nullptr && options_.debug_points->hit("SchemaChange.small_parts");
    const std::span<const ScanSplit> splits = reader.splits();
    while (recorded == nullptr || reached.num_splits < splits.size()) {
        RowsetPart part;
        part.rowset_id = recorded != nullptr ? recorded->meta().rowset_id : next_rowset_id();
        if (recorded != nullptr && !recorded->meta().segments.empty()) {
            part.first_segment_id = recorded->meta().segments.back().id + 1;
        }
        part.record = [&](RowsetMeta meta) {
            meta.conversion = reached;
            return record_history(shadow, std::move(meta));
        };
        MemtableTabletWriter writer(
            shadow.directory->write_services(),
            shadow.tablet,
            {.txn_id = txn_id, .load_id = fmt::format("conversion to {}", version)},
            std::move(part)
        );
        const auto write = [&]() -> Status {
            while (reached.num_splits < splits.size() && writer.num_rows() < kPartRows) {
                RETURN_IF_ERROR(copy_rows(reader, splits[reached.num_splits], request, writer));
                ++reached.num_splits;
                if (is_split_by_split) {
                    break;
                }
            }
            RETURN_IF_ERROR(strike(options_.debug_points, "SchemaChange.write"));
            return writer.close();
        };
        if (const Status written = write(); !written.ok()) {
            writer.abandon();
            return written;
        }
        recorded = shadow.tablet->find_pending(txn_id);
    }
    return {};
}

Status LocalStorageEngine::record_history(const Entry& shadow, RowsetMeta part) {
    Tablet& tablet = *shadow.tablet;
    ASSIGN_OR_RETURN(const auto claim, busy_tablets_.claim(tablet.id()));
    RETURN_IF_ERROR(check_present(shadow));
    const int64_t added_bytes = part.data_size_bytes;
    RowsetMeta meta = std::move(part);
    if (const RowsetPtr recorded = tablet.find_pending(meta.txn_id); recorded != nullptr) {
        RowsetMeta all = recorded->meta();
        all.segments.insert(all.segments.end(), meta.segments.begin(), meta.segments.end());
        all.num_rows += meta.num_rows;
        all.data_size_bytes += meta.data_size_bytes;
        all.is_overlapping = all.segments.size() > 1;
        all.conversion = meta.conversion;
        meta = std::move(all);
    }
    RETURN_IF_ERROR(strike(options_.debug_points, "SchemaChange.part"));
    MetadataChange change;
    change.put_rowset(meta);
    RETURN_IF_ERROR(shadow.directory->metadata().apply(change, options_.sync_metadata));
    shadow.directory->add_used_bytes(added_bytes);
    tablet.add_pending(make_rowset(tablet, *shadow.directory, std::move(meta)));
    return {};
}

Status LocalStorageEngine::drop_unrecorded_files(const Entry& shadow, const RowsetMeta& recorded) {
    ASSIGN_OR_RETURN(const auto files, fs_->list(shadow.tablet->directory()));
    for (const std::string& file : files) {
        const bool is_recorded = std::any_of(
            recorded.segments.begin(),
            recorded.segments.end(),
            [&](const SegmentFile& segment) {
                return segment_file_name(recorded.rowset_id, segment.id) == file;
            }
        );
        if (rowset_of_file_name(file) == recorded.rowset_id && !is_recorded) {
            RETURN_IF_ERROR(fs_->remove(shadow.tablet->directory() + "/" + file));
        }
    }
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
    Tablet::HistoryEnd end;
    if (const RowsetPtr written = tablet.find_pending(txn_id); written != nullptr) {
        RowsetMeta meta = written->meta();
        meta.is_visible = true;
        meta.conversion.reset();
        meta.start_version = kFirstVersion;
        meta.end_version = version;
        meta.creation_time = SystemClock().unix_seconds();
        change.put_rowset(meta);
        end.history = make_rowset(tablet, *shadow.directory, std::move(meta));
    }
    std::vector<RowsetPtr> later;
    for (const RowsetPtr& rowset : tablet.visible_rowsets()) {
        if (rowset->start_version() > version) {
            later.push_back(rowset);
        } else if (rowset->start_version() >= kFirstVersion) {
            // A double write of a version that the history has as well.
            end.covered.push_back(rowset);
            change.remove_rowset(*rowset);
        }
    }
    int64_t added_bytes = 0;
    if (tablet.schema()->is_merge_on_write()) {
        std::sort(later.begin(), later.end(), [](const RowsetPtr& left, const RowsetPtr& right) {
            return left->start_version() < right->start_version();
        });
        RETURN_IF_ERROR(check_contiguous(tablet, version, later));
        ASSIGN_OR_RETURN(added_bytes, settle_double_writes(shadow, later, end, change));
    }
    RETURN_IF_ERROR(strike(options_.debug_points, "SchemaChange.settled"));
    RETURN_IF_ERROR(shadow.directory->metadata().apply(change, options_.sync_metadata));
    shadow.directory->add_used_bytes(added_bytes);
    tablet.end_shadow(std::move(end), std::chrono::steady_clock::now());
    add_compaction_candidate(tablet);
    return {};
}

Result<int64_t> LocalStorageEngine::settle_double_writes(
    const Entry& shadow,
    std::span<const RowsetPtr> later,
    Tablet::HistoryEnd& end,
    MetadataChange& change
) const {
    const Tablet& tablet = *shadow.tablet;
    int64_t added_bytes = 0;
    std::map<std::string, RowsetPtr> below;
    const auto place = [&](const RowsetMarks& marks, int64_t version) {
        for (const auto& [rowset_id, rows] : marks) {
            below[rowset_id]->delete_bitmap().add(version, rows);
            change.put_delete_bitmap(tablet.id(), rowset_id, version, rows);
        }
    };
    std::vector<RowsetPtr> rowsets;
    if (end.history != nullptr) {
        // Rows of different keys may get one key by the conversion.
        LoadMarks within;
        RETURN_IF_ERROR(within.resolve_within(end.history));
        rowsets.push_back(end.history);
        below[end.history->meta().rowset_id] = end.history;
        place(within.marks(end.history, {}), end.history->end_version());
    }
    for (const RowsetPtr& load : later) {
        // Objects of their own, so that what is visible stays as it is until all is recorded.
        RowsetMeta meta = load->meta();
        LoadMarks marks;
        RETURN_IF_ERROR(marks.resolve_within(load));
        if (meta.partial_update.has_value()) {
            ASSIGN_OR_RETURN(
                auto changed,
                recompute_changed_rows(
                    tablet.schema(),
                    load,
                    rowsets,
                    {.fs = fs_.get(), .directory = tablet.directory(), .sync = options_.sync_files},
                    marks
                )
            );
            if (changed.has_value()) {
                added_bytes += changed->data_size_bytes - meta.data_size_bytes;
                meta = std::move(*changed);
            }
            meta.partial_update.reset();
        }
        change.put_rowset(meta);
        const RowsetPtr settled = make_rowset(tablet, *shadow.directory, std::move(meta));
        RETURN_IF_ERROR(marks.resolve(settled, rowsets));
        below[settled->meta().rowset_id] = settled;
        place(marks.marks(settled, rowsets), settled->end_version());
        rowsets.push_back(settled);
        end.replaced.emplace_back(load, settled);
    }
    return added_bytes;
}

}  // namespace thetis
