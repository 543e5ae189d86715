// SPDX-License-Identifier: Apache-2.0
#include "exec/scan/scan_schema.h"

#include "expr/expression.h"
#include "gen_thrift/descriptors_types.h"

namespace thetis {

namespace {

Result<SchemaColumn> column_from_wire(const wire::ColumnDesc& desc) {
    SchemaColumn column;
    column.unique_id = desc.unique_id;
    column.name = desc.name;
    column.is_key = desc.is_key;
    column.aggregation = desc.aggregation == "NONE" ? "" : desc.aggregation;
    ASSIGN_OR_RETURN(column.type, from_wire(desc.type));
    if (desc.__isset.default_value && !desc.default_value.is_null) {
        ASSIGN_OR_RETURN(auto value, from_wire(desc.default_value, column.type));
        column.default_value = value.to_column();
    }
    return column;
}

}  // namespace

Result<TabletSchemaPtr> scan_schema(const wire::TabletSchemaDesc& desc) {
    TabletSchemaDefinition definition;
    definition.table_id = desc.table_id;
    definition.index_id = desc.index_id;
    definition.schema_version = desc.schema_version;
    switch (desc.keys_model) {
        case wire::KeysModel::DUPLICATE:
            definition.keys_model = KeysModel::kDuplicate;
            break;
        case wire::KeysModel::AGGREGATE:
            definition.keys_model = KeysModel::kAggregate;
            break;
        case wire::KeysModel::UNIQUE:
            definition.keys_model = KeysModel::kUnique;
            break;
        default:
            return Status::error(
                ErrorCode::kInvalidArgument,
                "unknown keys model {}",
                static_cast<int>(desc.keys_model)
            );
    }
    for (const auto& column_desc : desc.columns) {
        auto column = column_from_wire(column_desc);
        if (!column.ok()) {
            return column.status().with_context("column {}", column_desc.name);
        }
        definition.columns.push_back(column.take());
    }
    return TabletSchema::create(std::move(definition));
}

}  // namespace thetis
