// SPDX-License-Identifier: Apache-2.0
#include "exec/fragment_builder.h"
#include "exec/scan/wire_schema.h"
#include "exec/sort/sort_state.h"
#include "functions/registries.h"
#include "gen_thrift/plan_types.h"
#include "storage/predicate/column_predicate.h"

namespace thetis {

namespace {

/// Joins whose output rows each hold one left row as it was, so that a left row that is not needed
/// above is not needed below.
bool passes_left_rows(wire::JoinKind::type kind) {
    switch (kind) {
        case wire::JoinKind::INNER:
        case wire::JoinKind::LEFT_OUTER:
        case wire::JoinKind::LEFT_SEMI:
        case wire::JoinKind::LEFT_ANTI:
        case wire::JoinKind::NULL_AWARE_LEFT_ANTI:
        case wire::JoinKind::CROSS:
            return true;
        default:
            return false;
    }
}

/// Whether rows that a reader leaves out by their values change no other row: where rows with equal
/// keys are merged while reading, they do.
bool reads_rows_as_stored(const TabletSchema& schema) {
    return schema.keys_model() == KeysModel::kDuplicate || schema.is_merge_on_write();
}

}  // namespace

Result<std::optional<TopNBound>> FragmentBuilder::top_n_bound(const wire::PlanNode& node) {
    const auto& keys = node.op.top_n.keys;
    if (keys.empty() || node.op.top_n.limit <= 0 || node.children.empty()) {
        return std::optional<TopNBound>();
    }
    ASSIGN_OR_RETURN(auto key, thetis::compile(keys[0].expression, *context_.services.functions));
    // A bound drops NULLs: they must come after all values.
    const bool may_drop_nulls = !key->type().nullable || !keys[0].nulls_first;
    if (!may_drop_nulls || key->kind() != ExpressionKind::kSlot) {
        return std::optional<TopNBound>();
    }
    auto slot = static_cast<size_t>(key->slots().front());
    const wire::PlanNode* below = node.children.data();
    for (int depth = 0; depth < kMaxDepth; ++depth) {
        const auto& op = below->op;
        if (op.__isset.tablet_scan) {
            ASSIGN_OR_RETURN(auto schema, schema_from_wire(op.tablet_scan.schema));
            if (slot >= op.tablet_scan.column_unique_ids.size() || !reads_rows_as_stored(*schema)) {
                break;
            }
            auto& predicates = scan_bounds_[below->id];
            if (predicates == nullptr) {
                predicates = std::make_shared<RuntimePredicates>();
            }
            return std::optional(TopNBound{predicates, op.tablet_scan.column_unique_ids[slot]});
        }
        if (below->children.empty()) {
            break;
        }
        if (op.__isset.project) {
            if (slot >= op.project.expressions.size()) {
                break;
            }
            ASSIGN_OR_RETURN(
                auto item,
                thetis::compile(op.project.expressions[slot], *context_.services.functions)
            );
            if (item->kind() != ExpressionKind::kSlot) {
                break;
            }
            slot = static_cast<size_t>(item->slots().front());
        } else if (op.__isset.hash_join) {
            const auto& join = op.hash_join;
            if (join.__isset.output_positions) {
                if (slot >= join.output_positions.size() || join.output_positions[slot] < 0) {
                    break;
                }
                slot = static_cast<size_t>(join.output_positions[slot]);
            }
            if (!passes_left_rows(join.kind) || slot >= below->children[0].output_types.size()) {
                break;
            }
        } else if (!op.__isset.filter) {
            break;
        }
        below = below->children.data();
    }
    return std::optional<TopNBound>();
}

}  // namespace thetis
