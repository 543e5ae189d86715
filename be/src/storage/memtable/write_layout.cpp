// SPDX-License-Identifier: Apache-2.0
#include "storage/memtable/write_layout.h"

#include <algorithm>

namespace thetis {

namespace {

Result<TabletSchemaPtr> without_version(const TabletSchemaPtr& schema) {
    if (!schema->version_id().has_value()) {
        return schema;
    }
    TabletSchemaDefinition definition = schema->definition();
    std::erase_if(definition.columns, [&](const SchemaColumn& column) {
        return column.unique_id == *schema->version_id();
    });
    definition.version_id.reset();
    return TabletSchema::create(std::move(definition));
}

Status bad_column(int32_t unique_id, const TabletSchema& schema, std::string_view what) {
    return Status::error(
        ErrorCode::kInvalidArgument,
        "A load of table {} sends the column with unique id {}, {}",
        schema.table_id(),
        unique_id,
        what
    );
}

}  // namespace

Result<std::shared_ptr<const WriteLayout>> WriteLayout::for_load(
    const TabletSchemaPtr& schema, std::span<const int32_t> column_unique_ids
) {
    auto layout = std::make_shared<WriteLayout>();
    ASSIGN_OR_RETURN(layout->schema_, without_version(schema));
    const TabletSchema& written = *layout->schema_;
    if (written.row_store_id().has_value()) {
        layout->row_store_ = written.find_column(*written.row_store_id());
    }
    for (const int32_t unique_id : column_unique_ids) {
        const auto position = written.find_column(unique_id);
        if (!position.has_value() || position == layout->row_store_) {
            return bad_column(unique_id, *schema, "which a load cannot set");
        }
        if (std::find(layout->input_.begin(), layout->input_.end(), *position) !=
            layout->input_.end()) {
            return bad_column(unique_id, *schema, "twice");
        }
        layout->input_.push_back(*position);
    }
    for (size_t i = 0; i < written.num_columns(); ++i) {
        const bool is_sent =
            std::find(layout->input_.begin(), layout->input_.end(), i) != layout->input_.end();
        if (is_sent || i == layout->row_store_) {
            continue;
        }
        if (column_unique_ids.empty()) {
            layout->input_.push_back(i);
        } else if (written.columns()[i].is_key) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "A load of table {} needs the key column {}",
                schema->table_id(),
                written.columns()[i].name
            );
        } else {
            layout->absent_.push_back(i);
        }
    }
    return std::shared_ptr<const WriteLayout>(std::move(layout));
}

std::shared_ptr<const WriteLayout> WriteLayout::for_all(TabletSchemaPtr schema) {
    auto layout = std::make_shared<WriteLayout>();
    for (size_t i = 0; i < schema->num_columns(); ++i) {
        layout->input_.push_back(i);
    }
    layout->schema_ = std::move(schema);
    return layout;
}

}  // namespace thetis
