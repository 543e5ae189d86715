// SPDX-License-Identifier: Apache-2.0
#include "exec/scan/wire_schema.h"

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
    column.is_bloom_filter = desc.is_bloom_filter;
    column.is_hidden = desc.is_hidden;
    ASSIGN_OR_RETURN(column.type, from_wire(desc.type));
    if (desc.__isset.default_value && !desc.default_value.is_null) {
        ASSIGN_OR_RETURN(auto value, from_wire(desc.default_value, column.type));
        column.default_value = value.to_column();
    }
    return column;
}

}  // namespace

Result<TabletSchemaPtr> schema_from_wire(const wire::TabletSchemaDesc& desc) {
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
    definition.num_short_key_columns = desc.num_short_key_columns;
    if (!desc.compression.empty()) {
        ASSIGN_OR_RETURN(definition.compression, parse_compression(desc.compression));
    }
    if (desc.__isset.bloom_filter_fpp) {
        definition.bloom_filter_fpp = desc.bloom_filter_fpp;
    }
    definition.merge_on_write = desc.merge_on_write;
    if (desc.__isset.delete_sign_id) {
        definition.delete_sign_id = desc.delete_sign_id;
    }
    if (desc.__isset.sequence_id) {
        definition.sequence_id = desc.sequence_id;
    }
    if (desc.__isset.version_id) {
        definition.version_id = desc.version_id;
    }
    if (desc.__isset.row_store_id) {
        definition.row_store_id = desc.row_store_id;
    }
    definition.row_store_column_ids = desc.row_store_column_ids;
    return TabletSchema::create(std::move(definition));
}

}  // namespace thetis
