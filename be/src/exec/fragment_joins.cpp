// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "exec/fragment_builder.h"
#include "exec/join/join_probe.h"
#include "functions/registries.h"
#include "gen_thrift/plan_types.h"

namespace thetis {

namespace {

Result<JoinType> join_type(wire::JoinKind::type kind) {
    switch (kind) {
        case wire::JoinKind::INNER:
        case wire::JoinKind::CROSS:
            return JoinType::kInner;
        case wire::JoinKind::LEFT_OUTER:
            return JoinType::kLeftOuter;
        case wire::JoinKind::RIGHT_OUTER:
            return JoinType::kRightOuter;
        case wire::JoinKind::FULL_OUTER:
            return JoinType::kFullOuter;
        case wire::JoinKind::LEFT_SEMI:
            return JoinType::kLeftSemi;
        case wire::JoinKind::LEFT_ANTI:
            return JoinType::kLeftAnti;
        case wire::JoinKind::RIGHT_SEMI:
            return JoinType::kRightSemi;
        case wire::JoinKind::RIGHT_ANTI:
            return JoinType::kRightAnti;
        case wire::JoinKind::NULL_AWARE_LEFT_ANTI:
            return JoinType::kNullAwareLeftAnti;
    }
    return Status::error(ErrorCode::kNotSupported, "join kind {}", static_cast<int>(kind));
}

// Rows of the probe side without partner are dropped by these, so a filter from the build side is
// safe.
bool may_filter_probe(JoinType type) {
    return type == JoinType::kInner || type == JoinType::kLeftSemi ||
           type == JoinType::kRightOuter || type == JoinType::kRightSemi ||
           type == JoinType::kRightAnti;
}

// Absent output positions: all of what the join kind gives.
Status resolve_output(JoinSpec& spec, bool is_set, const std::vector<int32_t>& positions) {
    int num_left = static_cast<int>(spec.left_types.size());
    int num_all = num_left + static_cast<int>(spec.right_types.size());
    bool right_only = spec.type == JoinType::kRightSemi || spec.type == JoinType::kRightAnti;
    int first = right_only ? num_left : 0;
    int last = spec.gives_left_only() ? num_left : num_all;
    if (is_set) {
        spec.output_positions.assign(positions.begin(), positions.end());
    } else {
        spec.output_positions.resize(static_cast<size_t>(last - first));
        std::iota(spec.output_positions.begin(), spec.output_positions.end(), first);
    }
    for (int position : spec.output_positions) {
        if (position < first || position >= last) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "a join gives column {}, which it does not have",
                position
            );
        }
    }
    return {};
}

std::vector<DataType> output_types(const JoinSpec& spec) {
    bool left_nullable = spec.type == JoinType::kRightOuter || spec.type == JoinType::kFullOuter;
    bool right_nullable = spec.type == JoinType::kLeftOuter || spec.type == JoinType::kFullOuter;
    std::vector<DataType> types;
    for (int position : spec.output_positions) {
        auto at = static_cast<size_t>(position);
        bool is_left = at < spec.left_types.size();
        DataType type =
            is_left ? spec.left_types[at] : spec.right_types[at - spec.left_types.size()];
        type.nullable |= is_left ? left_nullable : right_nullable;
        types.push_back(type);
    }
    return types;
}

}  // namespace

Result<Chain> FragmentBuilder::build_hash_join(const wire::PlanNode& node) {
    const auto& wire_join = node.op.hash_join;
    auto spec = std::make_shared<JoinSpec>();
    ASSIGN_OR_RETURN(spec->type, join_type(wire_join.kind));
    ASSIGN_OR_RETURN(spec->probe_keys, compile(wire_join.probe_keys));
    ASSIGN_OR_RETURN(spec->build_keys, compile(wire_join.build_keys));
    ASSIGN_OR_RETURN(spec->conjuncts, compile(wire_join.other_conjuncts));
    size_t num_keys = spec->probe_keys.size();
    if (num_keys == 0 || spec->build_keys.size() != num_keys) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "hash join {} with {} and {} keys",
            node.id,
            num_keys,
            spec->build_keys.size()
        );
    }
    if (spec->type == JoinType::kNullAwareLeftAnti && num_keys > 1) {
        return Status(ErrorCode::kNotSupported, "NOT IN over several columns");
    }
    std::vector<DataType> key_types;
    for (size_t i = 0; i < num_keys; ++i) {
        spec->null_safe.push_back(i < wire_join.null_safe.size() && wire_join.null_safe[i]);
        DataType type = spec->probe_keys[i]->type();
        if (type.physical() != spec->build_keys[i]->type().physical()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "join key {}: {} against {}",
                i,
                type.to_string(),
                spec->build_keys[i]->type().to_string()
            );
        }
        key_types.push_back(type);
    }
    spec->key_layout = std::make_unique<KeyLayout>(std::move(key_types), spec->null_safe);
    return join(node, std::move(spec), wire_join.runtime_filters);
}

Result<Chain> FragmentBuilder::build_nested_loop_join(const wire::PlanNode& node) {
    const auto& wire_join = node.op.nested_loop_join;
    auto spec = std::make_shared<JoinSpec>();
    ASSIGN_OR_RETURN(spec->type, join_type(wire_join.kind));
    if (spec->type == JoinType::kNullAwareLeftAnti) {
        return Status(ErrorCode::kNotSupported, "null-aware anti join without a key");
    }
    ASSIGN_OR_RETURN(spec->conjuncts, compile(wire_join.conjuncts));
    return join(node, std::move(spec), {});
}

Result<Chain> FragmentBuilder::join(
    const wire::PlanNode& node,
    std::shared_ptr<JoinSpec> spec,
    const std::vector<wire::RuntimeFilterSource>& filters
) {
    ASSIGN_OR_RETURN(Chain probe, build_child(node, 0));
    ASSIGN_OR_RETURN(Chain build, build_child(node, 1));
    spec->left_types = probe.types();
    spec->right_types = build.types();
    RETURN_IF_ERROR(check_slots(spec->probe_keys, spec->left_types.size(), "a join's left key"));
    RETURN_IF_ERROR(check_slots(spec->build_keys, spec->right_types.size(), "a join's right key"));
    RETURN_IF_ERROR(check_slots(
        spec->conjuncts, spec->left_types.size() + spec->right_types.size(), "a join condition"
    ));
    spec->conjunct_slots = referenced_slots(spec->conjuncts);
    bool is_hash = node.op.__isset.hash_join;
    RETURN_IF_ERROR(resolve_output(
        *spec,
        is_hash ? node.op.hash_join.__isset.output_positions
                : node.op.nested_loop_join.__isset.output_positions,
        is_hash ? node.op.hash_join.output_positions : node.op.nested_loop_join.output_positions
    ));

    std::vector<JoinBuildState::FilterTarget> targets;
    for (const auto& source : filters) {
        auto filter = runtime_filters_.at(source.filter_id);
        auto key = static_cast<size_t>(source.key_index);
        if (may_filter_probe(spec->type) && !spec->null_safe[key]) {
            targets.push_back({filter, key});
        } else {
            filter->build_pass_all();
        }
    }
    auto* context = &context_;
    int num_workers = context_.num_tasks;
    auto state = std::make_shared<JoinBuildState>(
        spec, build.num_tasks(), num_workers, std::move(targets), context_.eval
    );
    state->set_num_probes(probe.num_tasks());
    auto* build_profile = profile(is_hash ? "hash_join_build" : "nested_loop_build", node);
    build_profile->detail_name = "build_rows";
    build.finish(
        {[state, context, build_profile](int) -> std::unique_ptr<Sink> {
             return std::make_unique<JoinBuildSink>(state, context->eval, build_profile);
         },
         build_profile},
        done_
    );

    Chain finish = Chain::from_source(
        {[state](int) -> std::unique_ptr<Source> {
             return std::make_unique<JoinFinishSource>(state);
         },
         build_profile},
        num_workers,
        {}
    );
    finish.start_after(state->sealed());
    finish.finish(
        {[](int) -> std::unique_ptr<Sink> { return std::make_unique<DiscardSink>(); }, nullptr},
        done_
    );

    probe.append(
        {[state, context](int) -> std::unique_ptr<Transform> {
             return std::make_unique<JoinProbeOperator>(state, context->eval, context->batch_size);
         },
         profile(is_hash ? "hash_join" : "nested_loop_join", node)}
    );
    probe.start_after(state->ready());
    probe.set_types(output_types(*spec));
    return probe;
}

}  // namespace thetis
