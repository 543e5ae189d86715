// SPDX-License-Identifier: Apache-2.0
#include "expr/predicate_extraction.h"

#include "column/builder.h"
#include "expr/nodes.h"

namespace thetis {

namespace {

struct NamedOp {
    std::string_view name;
    PredicateOp op;
    PredicateOp mirrored;
};

constexpr NamedOp kComparisons[] = {
    {"eq", PredicateOp::kEq, PredicateOp::kEq},
    {"ne", PredicateOp::kNe, PredicateOp::kNe},
    {"lt", PredicateOp::kLt, PredicateOp::kGt},
    {"le", PredicateOp::kLe, PredicateOp::kGe},
    {"gt", PredicateOp::kGt, PredicateOp::kLt},
    {"ge", PredicateOp::kGe, PredicateOp::kLe},
};

std::optional<int> slot_of(const Expression& expression) {
    if (expression.kind() != ExpressionKind::kSlot) {
        return std::nullopt;
    }
    return static_cast<const SlotExpression&>(expression).position();
}

const Scalar* literal_of(const Expression& expression) {
    if (expression.kind() != ExpressionKind::kLiteral) {
        return nullptr;
    }
    const Scalar& value = static_cast<const LiteralExpression&>(expression).value();
    return value.is_null() ? nullptr : &value;
}

/// The fixed start of a LIKE pattern, and whether the pattern is nothing but that start and a final
/// %.
std::string like_prefix(std::string_view pattern, bool& is_exact) {
    std::string prefix;
    size_t i = 0;
    for (; i < pattern.size() && pattern[i] != '%' && pattern[i] != '_'; ++i) {
        if (pattern[i] == '\\' && i + 1 < pattern.size()) {
            ++i;
        }
        prefix += pattern[i];
    }
    is_exact = i + 1 == pattern.size() && pattern[i] == '%';
    return prefix;
}

std::optional<SimplePredicate> from_call(const CallExpression& call) {
    const auto& children = call.children();
    if (children.size() == 1 && (call.name() == "is_null" || call.name() == "is_not_null")) {
        if (const auto slot = slot_of(*children[0])) {
            return SimplePredicate{
                *slot,
                call.name() == "is_null" ? PredicateOp::kIsNull : PredicateOp::kIsNotNull,
                {},
                0,
                true
            };
        }
        return std::nullopt;
    }
    if (children.size() != 2) {
        return std::nullopt;
    }
    const bool is_mirrored = children[0]->kind() == ExpressionKind::kLiteral;
    const auto slot = slot_of(*children[is_mirrored ? 1 : 0]);
    const Scalar* literal = literal_of(*children[is_mirrored ? 0 : 1]);
    if (!slot.has_value() || literal == nullptr) {
        return std::nullopt;
    }
    for (const NamedOp& comparison : kComparisons) {
        if (comparison.name == call.name()) {
            return SimplePredicate{
                *slot, is_mirrored ? comparison.mirrored : comparison.op, {*literal}, 0, true
            };
        }
    }
    if (call.name() == "like" && !is_mirrored) {
        bool is_exact = false;
        std::string prefix = like_prefix(literal->as_text(), is_exact);
        if (!prefix.empty()) {
            return SimplePredicate{
                *slot,
                PredicateOp::kPrefix,
                {Scalar::text(literal->type(), std::move(prefix))},
                0,
                is_exact
            };
        }
    }
    return std::nullopt;
}

std::optional<SimplePredicate> from_expression(const Expression& expression);

/// `a = 1 OR a = 2 OR a IN (3)` as `a IN (1, 2, 3)`.
std::optional<SimplePredicate> from_or(const Expression& expression) {
    SimplePredicate merged;
    merged.op = PredicateOp::kIn;
    bool first = true;
    for (const ExpressionPtr& child : expression.children()) {
        const auto part = from_expression(*child);
        if (!part.has_value() || (part->op != PredicateOp::kEq && part->op != PredicateOp::kIn) ||
            (!first && part->position != merged.position)) {
            return std::nullopt;
        }
        first = false;
        merged.position = part->position;
        merged.operands.insert(merged.operands.end(), part->operands.begin(), part->operands.end());
    }
    return merged;
}

std::optional<SimplePredicate> from_expression(const Expression& expression) {
    switch (expression.kind()) {
        case ExpressionKind::kCall:
            return from_call(static_cast<const CallExpression&>(expression));
        case ExpressionKind::kOr:
            return from_or(expression);
        case ExpressionKind::kIn: {
            const auto& in = static_cast<const InExpression&>(expression);
            const auto slot = slot_of(*in.children()[0]);
            if (!slot.has_value() || (in.negated() && in.list_has_null()) || in.list().empty()) {
                return std::nullopt;
            }
            return SimplePredicate{
                *slot, in.negated() ? PredicateOp::kNotIn : PredicateOp::kIn, in.list(), 0, true
            };
        }
        default:
            return std::nullopt;
    }
}

void collect(
    const Expression& expression,
    size_t conjunct,
    bool is_whole,
    std::vector<SimplePredicate>& found
) {
    if (expression.kind() == ExpressionKind::kAnd) {
        for (const ExpressionPtr& child : expression.children()) {
            collect(*child, conjunct, false, found);
        }
        return;
    }
    if (auto predicate = from_expression(expression)) {
        predicate->conjunct = conjunct;
        // A part of a conjunct does not replace the conjunct.
        predicate->is_exact = predicate->is_exact && is_whole;
        found.push_back(std::move(*predicate));
    }
}

}  // namespace

std::vector<SimplePredicate> extract_predicates(std::span<const ExpressionPtr> conjuncts) {
    std::vector<SimplePredicate> found;
    for (size_t i = 0; i < conjuncts.size(); ++i) {
        collect(*conjuncts[i], i, true, found);
    }
    return found;
}

ColumnPtr operand_column(const SimplePredicate& predicate, const DataType& type) {
    DataType value_type = type;
    value_type.nullable = false;
    ColumnBuilder builder(value_type, static_cast<uint32_t>(predicate.operands.size()));
    for (const Scalar& operand : predicate.operands) {
        if (operand.is_null() || operand.type().physical() != type.physical()) {
            return nullptr;
        }
        builder.append_scalar(operand);
    }
    return builder.finish();
}

}  // namespace thetis
