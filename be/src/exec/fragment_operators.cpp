// SPDX-License-Identifier: Apache-2.0
#include "exec/aggregate/aggregate_operators.h"
#include "exec/filter/filter_operator.h"
#include "exec/fragment_builder.h"
#include "exec/set/repeat_operator.h"
#include "exec/set/row_limits.h"
#include "exec/sink/load_project.h"
#include "exec/sort/sort_state.h"
#include "functions/registries.h"
#include "gen_thrift/plan_types.h"

namespace thetis {

Result<Chain> FragmentBuilder::build_filter(const wire::PlanNode& node) {
    ASSIGN_OR_RETURN(Chain chain, build_child(node));
    ASSIGN_OR_RETURN(auto conjuncts, compile(node.op.filter.conjuncts));
    RETURN_IF_ERROR(check_slots(conjuncts, chain.types().size(), "a filter"));
    auto shared = std::make_shared<const std::vector<ExpressionPtr>>(std::move(conjuncts));
    auto* context = &context_;
    chain.append(
        {[shared, context](int) -> std::unique_ptr<Transform> {
             return std::make_unique<FilterOperator>(shared, context->eval);
         },
         profile("filter", node)}
    );
    return chain;
}

Result<Chain> FragmentBuilder::build_project(const wire::PlanNode& node) {
    ASSIGN_OR_RETURN(Chain chain, build_child(node));
    ASSIGN_OR_RETURN(auto expressions, compile(node.op.project.expressions));
    RETURN_IF_ERROR(check_slots(expressions, chain.types().size(), "a projection"));
    std::vector<DataType> types;
    for (const auto& expression : expressions) {
        types.push_back(expression->type());
    }
    auto shared = std::make_shared<const std::vector<ExpressionPtr>>(std::move(expressions));
    auto* context = &context_;
    chain.append(
        {[shared, context](int) -> std::unique_ptr<Transform> {
             return std::make_unique<ProjectOperator>(shared, context->eval);
         },
         profile("project", node)}
    );
    chain.set_types(std::move(types));
    return chain;
}

Result<Chain> FragmentBuilder::build_load_project(const wire::PlanNode& node) {
    const auto& load = node.op.load_project;
    ASSIGN_OR_RETURN(Chain chain, build_child(node));
    auto spec = std::make_shared<LoadProjectSpec>();
    ASSIGN_OR_RETURN(spec->temporaries, compile(load.temporaries));
    ASSIGN_OR_RETURN(spec->expressions, compile(load.expressions));
    size_t num_sources = chain.types().size() - RowSource::kNumExtraColumns;
    RETURN_IF_ERROR(check_slots(
        spec->temporaries, num_sources + spec->temporaries.size(), "a load's temporary column"
    ));
    RETURN_IF_ERROR(
        check_slots(spec->expressions, num_sources + spec->temporaries.size(), "a load's column")
    );
    for (int source : load.source_of) {
        if (source >= static_cast<int>(num_sources)) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "a load converts source column {} of {}",
                source,
                num_sources
            );
        }
        spec->source_of.push_back(source);
    }
    ASSIGN_OR_RETURN(auto types, types_of(node.output_types));
    if (types.size() != spec->expressions.size() || load.column_names.size() != types.size()) {
        return Status(
            ErrorCode::kInvalidArgument,
            "a load projection with unequal numbers of columns, names and types"
        );
    }
    for (size_t i = 0; i < types.size(); ++i) {
        spec->columns.push_back({load.column_names[i], types[i]});
    }
    if (load.__isset.where) {
        ASSIGN_OR_RETURN(spec->where, thetis::compile(load.where, *context_.services.functions));
        RETURN_IF_ERROR(check_slots({spec->where}, types.size(), "a load's WHERE"));
    }
    spec->strict_mode = load.strict_mode;
    // Splitting the body is one task's work; converting and writing go on beside it. Only where the
    // order of rows means nothing.
    bool keeps_order = !plan_.sink.__isset.table ||
                       plan_.sink.table.schema.keys_model != wire::KeysModel::DUPLICATE;
    if (chain.num_tasks() == 1 && context_.num_tasks > 1 && !keeps_order) {
        chain = exchange_locally(std::move(chain), context_.num_tasks, node.id);
    }
    auto* context = &context_;
    chain.append(
        {[spec, context](int) -> std::unique_ptr<Transform> {
             return std::make_unique<LoadProjectOperator>(spec, context->row_errors, context->eval);
         },
         profile("load_project", node)}
    );
    chain.set_types(std::move(types));
    return chain;
}

Result<std::shared_ptr<AggregateSpec>> FragmentBuilder::aggregate_spec(
    const wire::Aggregate& aggregate
) {
    auto spec = std::make_shared<AggregateSpec>();
    spec->input_is_state = aggregate.phase == wire::AggregatePhase::FINAL ||
                           aggregate.phase == wire::AggregatePhase::MERGE;
    spec->output_is_state = aggregate.phase == wire::AggregatePhase::PARTIAL ||
                            aggregate.phase == wire::AggregatePhase::MERGE;
    ASSIGN_OR_RETURN(spec->keys, compile(aggregate.group_by));
    if (!spec->keys.empty()) {
        std::vector<DataType> types;
        std::vector<bool> nullable;
        for (const auto& key : spec->keys) {
            types.push_back(key->type());
            nullable.push_back(key->type().nullable);
        }
        spec->key_layout = std::make_unique<KeyLayout>(std::move(types), std::move(nullable));
    }
    for (const auto& wire_call : aggregate.calls) {
        AggregateSpec::Call call;
        ASSIGN_OR_RETURN(call.arguments, compile(wire_call.arguments));
        ASSIGN_OR_RETURN(auto argument_types, types_of(wire_call.argument_types));
        ASSIGN_OR_RETURN(DataType result_type, from_wire(wire_call.result_type));
        ASSIGN_OR_RETURN(DataType state_type, from_wire(wire_call.state_type));
        ASSIGN_OR_RETURN(auto constants, constants_of(wire_call.constants));
        AggregateBind bind{wire_call.name, argument_types, result_type, state_type, constants};
        ASSIGN_OR_RETURN(call.function, context_.services.functions->aggregate.bind(bind));
        call.is_distinct =
            wire_call.__isset.distinct && wire_call.distinct && !spec->input_is_state;
        if (call.is_distinct && spec->output_is_state) {
            return Status::error(
                ErrorCode::kNotSupported, "DISTINCT in a partial aggregation ({})", wire_call.name
            );
        }
        spec->calls.push_back(std::move(call));
    }
    spec->layout_states();
    return spec;
}

Result<Chain> FragmentBuilder::build_aggregate(const wire::PlanNode& node) {
    const auto& aggregate = node.op.aggregate;
    ASSIGN_OR_RETURN(Chain chain, build_child(node));
    ASSIGN_OR_RETURN(auto mutable_spec, aggregate_spec(aggregate));
    std::shared_ptr<const AggregateSpec> spec = std::move(mutable_spec);
    RETURN_IF_ERROR(check_slots(spec->keys, chain.types().size(), "GROUP BY"));
    std::vector<DataType> types;
    for (const auto& key : spec->keys) {
        types.push_back(key->type());
    }
    for (const auto& call : spec->calls) {
        RETURN_IF_ERROR(check_slots(call.arguments, chain.types().size(), "an aggregate"));
        types.push_back(
            spec->output_is_state ? call.function->state_type() : call.function->result_type()
        );
    }
    auto* context = &context_;
    if (aggregate.phase == wire::AggregatePhase::PARTIAL) {
        chain.append(
            {[spec, context](int) -> std::unique_ptr<Transform> {
                 return std::make_unique<PartialAggregateOperator>(
                     spec, context->eval, context->batch_size
                 );
             },
             profile("partial_aggregate", node)}
        );
        chain.set_types(std::move(types));
        return chain;
    }
    if (spec->has_distinct) {
        chain = gather_locally(std::move(chain), node.id);
    }
    int num_sinks = chain.num_tasks();
    auto state = std::make_shared<AggregateState>(spec, num_sinks, context_.batch_size);
    chain.finish(
        {[state, context](int) -> std::unique_ptr<Sink> {
             return std::make_unique<AggregateSink>(state, context->eval);
         },
         profile("aggregate_build", node)},
        done_
    );
    auto* counters = profile("aggregate", node);
    counters->detail_name = "groups";
    Chain result = Chain::from_source(
        {[state, context, counters](int) -> std::unique_ptr<Source> {
             return std::make_unique<AggregateSource>(state, context->eval, counters);
         },
         counters},
        spec->keys.empty() ? 1 : context_.num_tasks,
        std::move(types)
    );
    result.start_after(state->ready());
    return result;
}

Result<std::shared_ptr<SortSpec>> FragmentBuilder::sort_spec(
    const std::vector<wire::SortKey>& keys, std::vector<DataType> types
) {
    auto spec = std::make_shared<SortSpec>();
    for (const auto& key : keys) {
        ASSIGN_OR_RETURN(
            auto expression, thetis::compile(key.expression, *context_.services.functions)
        );
        spec->keys.push_back(std::move(expression));
        spec->orders.push_back({key.ascending, key.nulls_first});
    }
    RETURN_IF_ERROR(check_slots(spec->keys, types.size(), "ORDER BY"));
    spec->types = std::move(types);
    return spec;
}

Chain FragmentBuilder::sorted(
    Chain input, std::shared_ptr<const SortSpec> spec, const char* name, int node_id
) {
    auto state = std::make_shared<SortState>(spec, input.num_tasks());
    auto* context = &context_;
    input.finish(
        {[state, context](int) -> std::unique_ptr<Sink> {
             return std::make_unique<SortSink>(state, context->eval);
         },
         &context_.profile.add(std::string(name) + "_build", node_id)},
        done_
    );
    uint32_t batch_size = context_.batch_size;
    Chain result = Chain::from_source(
        {[state, batch_size](int) -> std::unique_ptr<Source> {
             return std::make_unique<SortSource>(state, batch_size);
         },
         &context_.profile.add(name, node_id)},
        1,
        spec->types
    );
    result.start_after(state->ready());
    return result;
}

Result<Chain> FragmentBuilder::build_sort(const wire::PlanNode& node) {
    bool is_top_n = node.op.__isset.top_n;
    std::optional<TopNBound> bound;
    if (is_top_n) {
        ASSIGN_OR_RETURN(bound, top_n_bound(node));
    }
    ASSIGN_OR_RETURN(Chain chain, build_child(node));
    ASSIGN_OR_RETURN(
        auto spec, sort_spec(is_top_n ? node.op.top_n.keys : node.op.sort.keys, chain.types())
    );
    if (is_top_n) {
        spec->limit = node.op.top_n.limit;
        spec->offset = node.op.top_n.offset;
        spec->bound = std::move(bound);
    }
    return sorted(std::move(chain), std::move(spec), is_top_n ? "top_n" : "sort", node.id);
}

void FragmentBuilder::append_limit(
    Chain& chain, int64_t limit, int64_t offset, OperatorProfile* counters
) {
    auto state = std::make_shared<LimitState>(limit, offset);
    chain.append(
        {[state](int) -> std::unique_ptr<Transform> {
             return std::make_unique<LimitOperator>(state);
         },
         counters}
    );
}

Result<Chain> FragmentBuilder::build_limit(const wire::PlanNode& node) {
    ASSIGN_OR_RETURN(Chain chain, build_child(node));
    append_limit(chain, node.op.limit.limit, node.op.limit.offset, profile("limit", node));
    return chain;
}

Result<Chain> FragmentBuilder::build_union(const wire::PlanNode& node) {
    ASSIGN_OR_RETURN(Chain chain, build_child(node));
    ASSIGN_OR_RETURN(auto types, types_of(node.output_types));
    for (size_t i = 0; i < node.children.size(); ++i) {
        Chain* current = &chain;
        Chain next = Chain::from_source({}, 0, {});
        if (i > 0) {
            ASSIGN_OR_RETURN(next, build_child(node, i));
            current = &next;
        }
        bool equal = current->types().size() == types.size();
        for (size_t c = 0; equal && c < types.size(); ++c) {
            equal = current->types()[c].physical() == types[c].physical();
        }
        if (!equal) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "input {} of UNION ALL {} has other column types",
                i,
                node.id
            );
        }
        if (i > 0) {
            chain.absorb(std::move(next));
        }
    }
    chain.set_types(std::move(types));
    return chain;
}

Result<Chain> FragmentBuilder::build_assert_rows(const wire::PlanNode& node) {
    ASSIGN_OR_RETURN(Chain chain, build_child(node));
    const auto& assertion = node.op.assert_rows;
    chain = gather_locally(std::move(chain), node.id);
    auto types = chain.types();
    int64_t max_rows = assertion.max_rows;
    bool pad_empty = assertion.pad_empty;
    std::string message = assertion.__isset.message ? assertion.message : std::string();
    chain.append(
        {[max_rows, pad_empty, message, types](int) -> std::unique_ptr<Transform> {
             return std::make_unique<AssertRowsOperator>(max_rows, pad_empty, message, types);
         },
         profile("assert_rows", node)}
    );
    return chain;
}

Result<Chain> FragmentBuilder::build_repeat(const wire::PlanNode& node) {
    ASSIGN_OR_RETURN(Chain chain, build_child(node));
    const auto& repeat = node.op.repeat;
    auto spec = std::make_shared<RepeatSpec>();
    for (const auto& keep : repeat.keep_positions) {
        spec->keep_positions.emplace_back(keep.begin(), keep.end());
    }
    spec->key_positions.assign(repeat.key_positions.begin(), repeat.key_positions.end());
    spec->grouping_ids = repeat.grouping_ids;
    auto types = chain.types();
    if (spec->grouping_ids.size() != spec->keep_positions.size()) {
        return Status(
            ErrorCode::kInvalidArgument, "grouping sets with unequal numbers of sets and ids"
        );
    }
    for (int key : spec->key_positions) {
        if (key < 0 || static_cast<size_t>(key) >= types.size()) {
            return Status::error(
                ErrorCode::kInvalidArgument, "grouping sets read column {} of {}", key, types.size()
            );
        }
        types[static_cast<size_t>(key)].nullable = true;
    }
    types.push_back(DataType::of(TypeId::kBigint, false));
    chain.append(
        {[spec](int) -> std::unique_ptr<Transform> {
             return std::make_unique<RepeatOperator>(spec);
         },
         profile("repeat", node)}
    );
    chain.set_types(std::move(types));
    return chain;
}

}  // namespace thetis
