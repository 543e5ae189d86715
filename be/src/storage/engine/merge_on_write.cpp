// SPDX-License-Identifier: Apache-2.0
// The part of the engine that finds out which rows a merge-on-write load replaces.
#include "storage/engine/local_storage_engine.h"
#include "storage/engine/publish_plan.h"
#include "storage/fault.h"
#include "storage/tablet/load_marks.h"
#include "storage/tablet/partial_update.h"

namespace thetis {

namespace {

/// What a load does to itself: rows of one key in several segments, rows without a row to update.
Status mark_own(const RowsetPtr& load, LoadMarks& marks) {
    RETURN_IF_ERROR(marks.resolve_within(load));
    if (load->meta().partial_update.has_value()) {
        for (const auto& [segment_id, rows] : load->meta().partial_update->missing) {
            marks.mark(load, segment_id, *rows);
        }
    }
    return {};
}

}  // namespace

Result<std::shared_ptr<LoadMarks>> LocalStorageEngine::find_marks(
    const Tablet& tablet, const RowsetPtr& load
) const {
    std::shared_ptr<LoadMarks> marks;
    if (!tablet.schema()->is_merge_on_write() || load->meta().num_rows == 0 || tablet.is_shadow()) {
        return marks;
    }
    marks = std::make_shared<LoadMarks>();
    RETURN_IF_ERROR(mark_own(load, *marks));
    const Status resolved = marks->resolve(load, tablet.visible_rowsets());
    if (resolved.code() == ErrorCode::kCorruption) {
        tablet.note_damage(resolved);
    }
    RETURN_IF_ERROR(resolved);
    return marks;
}

Status LocalStorageEngine::complete_marks(
    const Entry& entry, const RowsetPtr& load, PublishStep& step
) const {
    const TabletSchemaPtr schema = entry.tablet->schema();
    if (!schema->is_merge_on_write() || load->meta().num_rows == 0 || entry.tablet->is_shadow()) {
        return {};  // A shadow learns all that when its history is there.
    }
    step.replaced = entry.tablet->visible_rowsets();
    std::shared_ptr<LoadMarks> marks = entry.tablet->find_pending_marks(load->meta().txn_id);
    RowsetPtr& written = step.written;
    written = load;
    if (load->meta().partial_update.has_value()) {
        auto again = std::make_shared<LoadMarks>();
        RETURN_IF_ERROR(again->resolve_within(load));
        ASSIGN_OR_RETURN(
            auto changed,
            recompute_changed_rows(
                schema,
                load,
                step.replaced,
                {.fs = fs_.get(),
                 .directory = entry.tablet->directory(),
                 .sync = options_.sync_files},
                *again
            )
        );
        if (changed.has_value()) {
            RETURN_IF_ERROR(strike(options_.debug_points, "StorageEngine.publish.recomputed"));
            step.meta = std::move(*changed);
            written = make_rowset(*entry.tablet, *entry.directory, step.meta);
            marks = std::move(again);
        }
    }
    if (marks == nullptr) {
        // The process was started again since the commit.
        marks = std::make_shared<LoadMarks>();
        RETURN_IF_ERROR(mark_own(load, *marks));
    }
    RETURN_IF_ERROR(marks->resolve(written, step.replaced));
    step.marks = marks->marks(written, step.replaced);
    return {};
}

}  // namespace thetis
