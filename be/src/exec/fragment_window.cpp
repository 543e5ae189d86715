// SPDX-License-Identifier: Apache-2.0
#include "exec/fragment_builder.h"
#include "exec/window/window_operator.h"
#include "functions/registries.h"
#include "gen_thrift/plan_types.h"

namespace thetis {

namespace {

Result<AggregateFunctionPtr> bind_aggregate(
    const AggregateRegistry& registry,
    std::string_view name,
    std::span<const DataType> types,
    const DataType& result,
    std::span<const Scalar> constants
) {
    // The state never leaves the window: its wire type matters only to the binding, which accepts
    // one of these two.
    auto same = registry.bind({name, types, result, result, constants});
    if (same.ok()) {
        return same;
    }
    auto binary = registry.bind({name, types, result, DataType::varchar(), constants});
    return binary.ok() ? binary : same;
}

}  // namespace

Result<Chain> FragmentBuilder::build_window(const wire::PlanNode& node) {
    const auto& window = node.op.window;
    ASSIGN_OR_RETURN(Chain chain, build_child(node));
    if (chain.num_tasks() != 1) {
        if (!window.partition_by.empty() || !window.order_by.empty()) {
            return Status::error(
                ErrorCode::kInvalidArgument, "window {} over input that is not sorted", node.id
            );
        }
        chain = gather_locally(std::move(chain), node.id);
    }
    auto spec = std::make_shared<WindowSpec>();
    spec->input_types = chain.types();
    ASSIGN_OR_RETURN(spec->partition_keys, compile(window.partition_by));
    RETURN_IF_ERROR(check_slots(spec->partition_keys, chain.types().size(), "PARTITION BY"));
    ASSIGN_OR_RETURN(auto order, sort_spec(window.order_by, chain.types()));
    spec->order_keys = order->keys;
    spec->orders = order->orders;
    auto types = chain.types();
    for (const auto& wire_call : window.calls) {
        WindowSpec::Call call;
        call.function = window_function(wire_call.name);
        ASSIGN_OR_RETURN(call.arguments, compile(wire_call.arguments));
        RETURN_IF_ERROR(check_slots(call.arguments, chain.types().size(), "a window function"));
        ASSIGN_OR_RETURN(call.result_type, from_wire(wire_call.result_type));
        bool needs_argument = call.function == WindowFunction::kNtile ||
                              call.function == WindowFunction::kLag ||
                              call.function == WindowFunction::kLead ||
                              call.function == WindowFunction::kFirstValue ||
                              call.function == WindowFunction::kLastValue;
        if (call.arguments.size() <
            (call.function == WindowFunction::kNthValue ? 2U : (needs_argument ? 1U : 0U))) {
            return Status::error(
                ErrorCode::kInvalidArgument, "window function {} lacks an argument", wire_call.name
            );
        }
        if (call.function == WindowFunction::kAggregate) {
            ASSIGN_OR_RETURN(auto argument_types, types_of(wire_call.argument_types));
            ASSIGN_OR_RETURN(auto constants, constants_of(wire_call.constants));
            ASSIGN_OR_RETURN(
                call.aggregate,
                bind_aggregate(
                    context_.services.functions->aggregate,
                    wire_call.name,
                    argument_types,
                    call.result_type,
                    constants
                )
            );
        }
        call.by_rows = wire_call.__isset.rows_frame && wire_call.rows_frame;
        bool whole = wire_call.__isset.whole_partition && wire_call.whole_partition;
        if (!whole && wire_call.__isset.frame_start) {
            call.frame_start = wire_call.frame_start;
        }
        if (!whole && wire_call.__isset.frame_end) {
            call.frame_end = wire_call.frame_end;
        }
        if (!call.by_rows &&
            (call.frame_start.value_or(0) != 0 || call.frame_end.value_or(0) != 0)) {
            return Status(ErrorCode::kNotSupported, "RANGE frames with offsets");
        }
        types.push_back(call.result_type);
        spec->calls.push_back(std::move(call));
    }
    auto* context = &context_;
    chain.append(
        {[spec, context](int) -> std::unique_ptr<Transform> {
             return std::make_unique<WindowOperator>(spec, context->eval, context->batch_size);
         },
         profile("window", node)}
    );
    chain.set_types(std::move(types));
    return chain;
}

}  // namespace thetis
