// SPDX-License-Identifier: Apache-2.0
#include "exec/sink/sink_columns.h"

#include "expr/expression.h"
#include "gen_thrift/plan_types.h"

namespace thetis {

namespace {

Result<SinkColumn> sink_column(const wire::ColumnDesc& desc) {
    ASSIGN_OR_RETURN(DataType type, from_wire(desc.type));
    return SinkColumn{{desc.name, type}, desc.unique_id};
}

}  // namespace

Result<std::vector<SinkColumn>> loaded_columns(const wire::TabletSchemaDesc& schema) {
    std::vector<SinkColumn> columns;
    for (const auto& desc : schema.columns) {
        const bool is_version = schema.__isset.version_id && desc.unique_id == schema.version_id;
        const bool is_row_store =
            schema.__isset.row_store_id && desc.unique_id == schema.row_store_id;
        if (!is_version && !is_row_store) {
            ASSIGN_OR_RETURN(auto column, sink_column(desc));
            columns.push_back(std::move(column));
        }
    }
    return columns;
}

Result<std::vector<SinkColumn>> named_columns(
    const wire::TabletSchemaDesc& schema, const std::vector<int32_t>& unique_ids
) {
    std::vector<SinkColumn> columns;
    for (int32_t unique_id : unique_ids) {
        auto found = std::find_if(
            schema.columns.begin(),
            schema.columns.end(),
            [&](const wire::ColumnDesc& desc) { return desc.unique_id == unique_id; }
        );
        if (found == schema.columns.end()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "index {} has no column with id {} for the load to write",
                schema.index_id,
                unique_id
            );
        }
        ASSIGN_OR_RETURN(auto column, sink_column(*found));
        columns.push_back(std::move(column));
    }
    return columns;
}

Result<std::vector<SinkColumn>> sink_columns(const wire::TableSink& sink) {
    if (!sink.__isset.column_unique_ids) {
        return loaded_columns(sink.schema);
    }
    return named_columns(sink.schema, sink.column_unique_ids);
}

Result<std::vector<int>> unconverted_columns(
    const wire::TableSink& sink, size_t num_columns, size_t num_inputs
) {
    std::vector<int> positions(sink.unconverted.begin(), sink.unconverted.end());
    size_t expected = num_columns;
    bool fits = positions.empty() || positions.size() == num_columns;
    for (int position : positions) {
        fits &= position < 0 || static_cast<size_t>(position) >= num_columns;
        expected = std::max(expected, static_cast<size_t>(std::max(position, -1) + 1));
    }
    if (!fits || expected != num_inputs) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "table sink of {} columns gets {} columns",
            expected,
            num_inputs
        );
    }
    return positions;
}

std::vector<ColumnRule> rules_of(const std::vector<SinkColumn>& columns) {
    std::vector<ColumnRule> rules;
    rules.reserve(columns.size());
    for (const SinkColumn& column : columns) {
        rules.push_back(column.rule);
    }
    return rules;
}

}  // namespace thetis
