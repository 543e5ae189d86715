// SPDX-License-Identifier: Apache-2.0
#include "expr/expression.h"

#include "expr/nodes.h"
#include "functions/cast.h"

namespace thetis {

namespace {

/// The selected rows of the columns that the expressions read; other columns stay null pointers.
Batch compact_slots(const Batch& batch, std::span<const int> slots) {
    Batch dense;
    dense.num_rows = batch.num_selected();
    dense.columns.resize(batch.columns.size());
    for (int slot : slots) {
        const auto i = static_cast<size_t>(slot);
        if (i < batch.columns.size()) {
            dense.columns[i] = gather(batch.columns[i], batch.selection->data(), dense.num_rows);
        }
    }
    return dense;
}

/// Puts a column of the selected rows back to their places.
ColumnPtr scatter(const ColumnPtr& dense, const Batch& batch) {
    if (dense->form() == ColumnForm::kConstant) {
        return Column::constant(dense->base(), batch.num_rows);
    }
    std::vector<uint32_t> positions(batch.num_rows, 0);
    for (uint32_t i = 0; i < dense->size(); ++i) {
        positions[(*batch.selection)[i]] = i;
    }
    return gather(dense, positions.data(), batch.num_rows);
}

Result<ColumnPtr> evaluate_compacted(
    const Expression& expression, const Batch& batch, EvalContext& context
) {
    ASSIGN_OR_RETURN(
        const ColumnPtr dense,
        expression.evaluate_all(compact_slots(batch, expression.slots()), context)
    );
    return scatter(dense, batch);
}

}  // namespace

Expression::Expression(ExpressionKind kind, DataType type, std::vector<ExpressionPtr> children)
    : kind_(kind), type_(type), children_(std::move(children)) {
    for (const ExpressionPtr& child : children_) {
        slots_.insert(slots_.end(), child->slots().begin(), child->slots().end());
        is_constant_ &= child->is_constant();
        is_deterministic_ &= child->is_deterministic();
    }
    std::sort(slots_.begin(), slots_.end());
    slots_.erase(std::unique(slots_.begin(), slots_.end()), slots_.end());
}

std::string print_call(std::string_view name, const std::vector<ExpressionPtr>& children) {
    std::string text(name);
    text += '(';
    for (size_t i = 0; i < children.size(); ++i) {
        text += (i > 0 ? ", " : "") + children[i]->to_string();
    }
    return text + ')';
}

LiteralExpression::LiteralExpression(Scalar value)
    : Expression(ExpressionKind::kLiteral, value.type(), {}),
      value_(std::move(value)),
      column_(value_.to_column()) {}

Result<ColumnPtr> LiteralExpression::evaluate_all(const Batch& batch, EvalContext&) const {
    return Column::constant(column_, batch.num_rows);
}

SlotExpression::SlotExpression(DataType type, int position)
    : Expression(ExpressionKind::kSlot, type, {}), position_(position) {
    set_slot(position);
}

std::string SlotExpression::to_string() const {
    return fmt::format("#{}", position_);
}

Result<ColumnPtr> SlotExpression::evaluate_all(const Batch& batch, EvalContext&) const {
    const auto i = static_cast<size_t>(position_);
    if (i >= batch.columns.size() || batch.columns[i] == nullptr) {
        return Status::error(
            ErrorCode::kInternal,
            "Expression reads column {} of {}",
            position_,
            batch.columns.size()
        );
    }
    if (batch.columns[i]->physical() != type().physical()) {
        return Status::error(
            ErrorCode::kInternal,
            "Column {} is {}, the plan says {}",
            position_,
            batch.columns[i]->type().to_string(),
            type().to_string()
        );
    }
    return batch.columns[i];
}

std::string CastExpression::to_string() const {
    return fmt::format("cast({} as {})", children()[0]->to_string(), type().to_string());
}

Result<ColumnPtr> CastExpression::evaluate_all(const Batch& batch, EvalContext& context) const {
    ASSIGN_OR_RETURN(const ColumnPtr value, children()[0]->evaluate_all(batch, context));
    return cast_column(value, type(), context);
}

Result<ColumnPtr> evaluate(const Expression& expression, const Batch& batch, EvalContext& context) {
    const uint32_t selected = batch.num_selected();
    if (batch.selection == nullptr || selected == batch.num_rows ||
        expression.kind() == ExpressionKind::kSlot ||
        expression.kind() == ExpressionKind::kLiteral) {
        return expression.evaluate_all(batch, context);
    }
    if (selected == 0) {
        return Column::all_null(expression.type(), batch.num_rows);
    }
    if (selected < batch.num_rows / 4) {
        return evaluate_compacted(expression, batch, context);
    }
    Result<ColumnPtr> all = expression.evaluate_all(batch, context);
    // A failure may come from a row that is not selected; only the selected ones decide.
    return all.ok() ? std::move(all) : evaluate_compacted(expression, batch, context);
}

Result<Batch> project(
    std::span<const ExpressionPtr> expressions, const Batch& batch, EvalContext& context
) {
    Batch result;
    const Batch* input = &batch;
    Batch dense;
    if (batch.selection != nullptr && batch.num_selected() < batch.num_rows / 2) {
        dense = compact_slots(batch, referenced_slots(expressions));
        input = &dense;
    }
    result.num_rows = input->num_rows;
    result.selection = input->selection;
    result.columns.reserve(expressions.size());
    for (const ExpressionPtr& expression : expressions) {
        ASSIGN_OR_RETURN(ColumnPtr column, evaluate(*expression, *input, context));
        result.columns.push_back(std::move(column));
    }
    return result;
}

Result<Scalar> evaluate_constant(const Expression& expression, EvalContext& context) {
    if (!expression.slots().empty()) {
        return Status::error(
            ErrorCode::kInvalidArgument, "Expression is not constant: {}", expression.to_string()
        );
    }
    Batch one_row;
    one_row.num_rows = 1;
    ASSIGN_OR_RETURN(const ColumnPtr column, expression.evaluate_all(one_row, context));
    return Scalar::from_column(*column, 0);
}

std::vector<int> referenced_slots(std::span<const ExpressionPtr> expressions) {
    std::set<int> slots;
    for (const ExpressionPtr& expression : expressions) {
        slots.insert(expression->slots().begin(), expression->slots().end());
    }
    return {slots.begin(), slots.end()};
}

}  // namespace thetis
