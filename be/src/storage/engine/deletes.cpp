// SPDX-License-Identifier: Apache-2.0
// The part of the engine that records a condition whose rows are deleted.
#include "base/time.h"
#include "storage/engine/local_storage_engine.h"
#include "storage/fault.h"

namespace thetis {

Status LocalStorageEngine::delete_data(const DeleteRequest& request) {
    const int64_t tablet_id = request.tablet_id;
    const auto tablet = find_tablet(tablet_id);
    if (tablet == nullptr) {
        return Status::error(
            ErrorCode::kTabletNotFound, "Tablet {} is not on this back end", tablet_id
        );
    }
    const TabletSchemaPtr schema = request.schema != nullptr ? request.schema : tablet->schema();
    if (schema->keys_model() == KeysModel::kUnique) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "Rows of tablet {} are deleted by key, not by condition: it is UNIQUE",
            tablet_id
        );
    }
    if (!options_.compile_filter || request.condition.empty()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "There is no condition to delete by in tablet {}",
            tablet_id
        );
    }
    RETURN_IF_ERROR(options_.compile_filter(request.condition, *schema).status());
    RowsetMeta meta;
    meta.rowset_id = next_rowset_id();
    meta.tablet_id = tablet_id;
    meta.txn_id = request.txn_id;
    meta.load_id = fmt::format("delete {}", request.txn_id);
    meta.creation_time = SystemClock().unix_seconds();
    meta.schema = schema;
    meta.delete_predicate = request.condition;
    RETURN_IF_ERROR(strike(options_.debug_points, "StorageEngine.delete_data"));
    RETURN_IF_ERROR(commit(tablet, std::move(meta)).status());
    return strike(options_.debug_points, "StorageEngine.delete_data.done");
}

}  // namespace thetis
