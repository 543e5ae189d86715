// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gen_thrift/plan_types.h"
#include "types/data_type.h"

namespace thetis::testing {

/// Plans and expressions written as literals, for tests of execution.

inline wire::DataTypeDesc wire_type(const DataType& type) {
    wire::DataTypeDesc desc;
    desc.id = static_cast<int32_t>(type.id);
    desc.nullable = type.nullable;
    if (type.id == TypeId::kDecimal) {
        desc.__set_precision(type.precision);
        desc.__set_scale(type.scale);
    }
    if (type.length > 0) {
        desc.__set_length(type.length);
    }
    return desc;
}

inline DataType bigint() {
    return DataType::of(TypeId::kBigint);
}

inline DataType boolean() {
    return DataType::of(TypeId::kBoolean);
}

inline wire::Expr slot(int position, const DataType& type = bigint()) {
    wire::Expr expr;
    wire::SlotRef ref;
    ref.position = position;
    expr.node.__set_slot(ref);
    expr.type = wire_type(type);
    return expr;
}

inline wire::Expr literal(int64_t value, const DataType& type = bigint()) {
    wire::Expr expr;
    wire::Literal value_literal;
    value_literal.is_null = false;
    value_literal.__set_int_value(value);
    expr.node.__set_literal(value_literal);
    expr.type = wire_type(type);
    return expr;
}

inline wire::Expr null_literal(const DataType& type = bigint()) {
    wire::Expr expr;
    wire::Literal value_literal;
    value_literal.is_null = true;
    expr.node.__set_literal(value_literal);
    expr.type = wire_type(type);
    return expr;
}

inline wire::Expr call(
    const std::string& name, const DataType& type, std::vector<wire::Expr> children
) {
    wire::Expr expr;
    wire::FunctionCall function;
    function.name = name;
    expr.node.__set_call(function);
    expr.type = wire_type(type);
    expr.__set_children(std::move(children));
    return expr;
}

inline wire::PlanNode node(
    int id, const std::vector<DataType>& types, std::vector<wire::PlanNode> children = {}
) {
    wire::PlanNode result;
    result.id = id;
    for (const auto& type : types) {
        result.output_types.push_back(wire_type(type));
    }
    result.__set_children(std::move(children));
    return result;
}

/// Reads columns with unique ids 0, 1, ... of the given types.
inline wire::PlanNode scan(
    int id, const std::vector<DataType>& types, std::vector<wire::Expr> conjuncts = {}
) {
    wire::PlanNode result = node(id, types);
    wire::TabletScan tablet_scan;
    tablet_scan.schema.table_id = 1;
    tablet_scan.schema.index_id = 1;
    tablet_scan.schema.keys_model = wire::KeysModel::DUPLICATE;
    for (size_t i = 0; i < types.size(); ++i) {
        wire::ColumnDesc column;
        column.unique_id = static_cast<int32_t>(i);
        column.name = "c" + std::to_string(i);
        column.type = wire_type(types[i]);
        column.is_key = i == 0;
        tablet_scan.schema.columns.push_back(column);
        tablet_scan.column_unique_ids.push_back(column.unique_id);
    }
    if (!conjuncts.empty()) {
        tablet_scan.__set_conjuncts(std::move(conjuncts));
    }
    result.op.__set_tablet_scan(tablet_scan);
    return result;
}

inline wire::PlanNode filter(
    int id,
    const std::vector<DataType>& types,
    wire::PlanNode child,
    std::vector<wire::Expr> conjuncts
) {
    wire::PlanNode result = node(id, types, {std::move(child)});
    wire::Filter op;
    op.conjuncts = std::move(conjuncts);
    result.op.__set_filter(op);
    return result;
}

inline wire::PlanNode project(
    int id,
    const std::vector<DataType>& types,
    wire::PlanNode child,
    std::vector<wire::Expr> expressions
) {
    wire::PlanNode result = node(id, types, {std::move(child)});
    wire::Project op;
    op.expressions = std::move(expressions);
    result.op.__set_project(op);
    return result;
}

inline wire::AggregateCall aggregate_call(
    const std::string& name,
    std::vector<wire::Expr> arguments,
    const std::vector<DataType>& argument_types,
    const DataType& result_type,
    const DataType& state_type
) {
    wire::AggregateCall result;
    result.name = name;
    result.arguments = std::move(arguments);
    for (const auto& type : argument_types) {
        result.argument_types.push_back(wire_type(type));
    }
    result.result_type = wire_type(result_type);
    result.state_type = wire_type(state_type);
    return result;
}

inline wire::PlanNode aggregate(
    int id,
    wire::AggregatePhase::type phase,
    const std::vector<DataType>& types,
    wire::PlanNode child,
    std::vector<wire::Expr> group_by,
    std::vector<wire::AggregateCall> calls
) {
    wire::PlanNode result = node(id, types, {std::move(child)});
    wire::Aggregate op;
    op.phase = phase;
    op.group_by = std::move(group_by);
    op.calls = std::move(calls);
    result.op.__set_aggregate(op);
    return result;
}

inline wire::SortKey sort_key(
    wire::Expr expression, bool ascending = true, bool nulls_first = true
) {
    wire::SortKey key;
    key.expression = std::move(expression);
    key.ascending = ascending;
    key.nulls_first = nulls_first;
    return key;
}

inline wire::PlanNode sort(
    int id,
    const std::vector<DataType>& types,
    wire::PlanNode child,
    std::vector<wire::SortKey> keys
) {
    wire::PlanNode result = node(id, types, {std::move(child)});
    wire::Sort op;
    op.keys = std::move(keys);
    result.op.__set_sort(op);
    return result;
}

inline wire::PlanNode top_n(
    int id,
    const std::vector<DataType>& types,
    wire::PlanNode child,
    std::vector<wire::SortKey> keys,
    int64_t limit,
    int64_t offset = 0
) {
    wire::PlanNode result = node(id, types, {std::move(child)});
    wire::TopN op;
    op.keys = std::move(keys);
    op.limit = limit;
    op.offset = offset;
    result.op.__set_top_n(op);
    return result;
}

inline wire::PlanNode limit(
    int id,
    const std::vector<DataType>& types,
    wire::PlanNode child,
    int64_t row_limit,
    int64_t offset = 0
) {
    wire::PlanNode result = node(id, types, {std::move(child)});
    wire::Limit op;
    op.limit = row_limit;
    op.offset = offset;
    result.op.__set_limit(op);
    return result;
}

inline wire::PlanNode hash_join(
    int id,
    wire::JoinKind::type kind,
    const std::vector<DataType>& types,
    wire::PlanNode probe,
    wire::PlanNode build,
    std::vector<wire::Expr> probe_keys,
    std::vector<wire::Expr> build_keys,
    std::vector<wire::Expr> conjuncts = {}
) {
    wire::PlanNode result = node(id, types, {std::move(probe), std::move(build)});
    wire::HashJoin op;
    op.kind = kind;
    op.probe_keys = std::move(probe_keys);
    op.build_keys = std::move(build_keys);
    if (!conjuncts.empty()) {
        op.__set_other_conjuncts(std::move(conjuncts));
    }
    result.op.__set_hash_join(op);
    return result;
}

inline wire::PlanNode nested_loop_join(
    int id,
    wire::JoinKind::type kind,
    const std::vector<DataType>& types,
    wire::PlanNode probe,
    wire::PlanNode build,
    std::vector<wire::Expr> conjuncts = {}
) {
    wire::PlanNode result = node(id, types, {std::move(probe), std::move(build)});
    wire::NestedLoopJoin op;
    op.kind = kind;
    if (!conjuncts.empty()) {
        op.__set_conjuncts(std::move(conjuncts));
    }
    result.op.__set_nested_loop_join(op);
    return result;
}

inline wire::PlanNode numbers(int id, int64_t count) {
    wire::PlanNode result = node(id, {DataType::of(TypeId::kBigint, false)});
    wire::TableFunctionScan op;
    op.name = "numbers";
    op.properties["number"] = std::to_string(count);
    result.op.__set_table_function_scan(op);
    return result;
}

inline wire::PlanNode union_all(
    int id, const std::vector<DataType>& types, std::vector<wire::PlanNode> children
) {
    wire::PlanNode result = node(id, types, std::move(children));
    result.op.__set_union_all(wire::UnionAll());
    return result;
}

/// A plan of one fragment (0) that ends in a text result sink. `tablets[node id]` are the tablets
/// of each scan.
inline wire::ExecPlan result_plan(
    int64_t query,
    wire::PlanNode root,
    const std::map<int32_t, std::vector<int64_t>>& tablets = {},
    int tasks = 0,
    int batch_size = 4096
) {
    wire::ExecPlan plan;
    plan.query_id.high = 7;
    plan.query_id.low = query;
    plan.coordinator.host = "fe";
    plan.coordinator.port = 9020;
    plan.coordinator_epoch = 1;
    plan.backend_id = 1;
    plan.options.batch_size = batch_size;
    plan.options.parallel_tasks = tasks;
    plan.options.mem_limit_bytes = int64_t{1} << 30;
    plan.options.timeout_ms = 60'000;
    plan.options.time_zone = "UTC";
    wire::FragmentPlan fragment;
    fragment.id = 0;
    fragment.root = std::move(root);
    wire::ResultSink sink;
    sink.binary_rows = false;
    fragment.sink.__set_result(sink);
    plan.fragments.push_back(fragment);
    wire::FragmentInstance instance;
    instance.fragment_id = 0;
    instance.sender_id = 0;
    for (const auto& [id, ids] : tablets) {
        for (int64_t tablet : ids) {
            wire::TabletScanRange range;
            range.tablet_id = tablet;
            range.version = 2;
            instance.scan_ranges[id].push_back(range);
        }
    }
    plan.instances.push_back(instance);
    return plan;
}

}  // namespace thetis::testing
