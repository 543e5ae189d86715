// SPDX-License-Identifier: Apache-2.0
#include "expr/nodes.h"
#include "expr/selection_kernels.h"

namespace thetis {

namespace {

std::optional<PredicateOp> comparison_op(std::string_view name) {
    static constexpr std::pair<std::string_view, PredicateOp> kNames[] = {
        {"eq", PredicateOp::kEq},
        {"ne", PredicateOp::kNe},
        {"lt", PredicateOp::kLt},
        {"le", PredicateOp::kLe},
        {"gt", PredicateOp::kGt},
        {"ge", PredicateOp::kGe},
    };
    for (const auto& [known, op] : kNames) {
        if (known == name) {
            return op;
        }
    }
    return std::nullopt;
}

PredicateOp mirrored(PredicateOp op) {
    switch (op) {
        case PredicateOp::kLt:
            return PredicateOp::kGt;
        case PredicateOp::kLe:
            return PredicateOp::kGe;
        case PredicateOp::kGt:
            return PredicateOp::kLt;
        case PredicateOp::kGe:
            return PredicateOp::kLe;
        default:
            return op;
    }
}

void set_selection(Batch& batch, Selection selection) {
    if (selection.size() == batch.num_rows) {
        batch.selection = nullptr;
    } else {
        batch.selection = std::make_shared<const Selection>(std::move(selection));
    }
}

void select_none(Batch& batch) {
    batch.selection = std::make_shared<const Selection>();
}

/// Keeps the rows for which `keep(row)` holds.
template <typename Keep>
void narrow(Batch& batch, Keep keep) {
    const uint32_t count = batch.num_selected();
    Selection rows(count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = batch.row_at(i);
        rows[kept] = static_cast<uint16_t>(row);
        kept += keep(row) ? 1 : 0;
    }
    rows.resize(kept);
    set_selection(batch, std::move(rows));
}

/// Keeps the rows where a boolean column is true.
void narrow_by_column(Batch& batch, const ColumnPtr& condition) {
    if (condition->form() == ColumnForm::kConstant) {
        if (condition->is_null(0) || condition->base()->values<uint8_t>()[0] == 0) {
            select_none(batch);
        }
        return;
    }
    if (condition->form() == ColumnForm::kFlat && batch.selection == nullptr) {
        Selection rows(batch.num_rows + 16);
        rows.resize(select_flags(
            condition->values<uint8_t>(), condition->valid_words(), batch.num_rows, rows.data()
        ));
        set_selection(batch, std::move(rows));
        return;
    }
    const ColumnView<uint8_t> view(*condition);
    narrow(batch, [&](uint32_t row) { return view.is_valid(row) && view[row] != 0; });
}

/// `flat slot op constant` for fixed-width types and text.
void compare_flat(Batch& batch, const Column& column, PredicateOp op, const Scalar& constant) {
    visit_physical(column.physical(), [&](auto tag) {
        using T = decltype(tag);
        const T value = constant.get<T>();
        Selection rows(batch.num_selected() + 16);
        const uint32_t count = batch.selection == nullptr ? select_all<T>(
                                                                column.values<T>(),
                                                                column.valid_words(),
                                                                batch.num_rows,
                                                                op,
                                                                value,
                                                                rows.data()
                                                            )
                                                          : select_some<T>(
                                                                column.values<T>(),
                                                                column.valid_words(),
                                                                batch.selection->data(),
                                                                batch.num_selected(),
                                                                op,
                                                                value,
                                                                rows.data()
                                                            );
        rows.resize(count);
        set_selection(batch, std::move(rows));
    });
}

/// A conjunct that reads nothing but one dictionary column: ask it once per dictionary value and
/// once for NULL.
Result<bool> filter_by_dictionary(const Expression& conjunct, Batch& batch, EvalContext& context) {
    if (conjunct.slots().size() != 1 || !conjunct.is_deterministic()) {
        return false;
    }
    const auto slot = static_cast<size_t>(conjunct.slots()[0]);
    const ColumnPtr column = slot < batch.columns.size() ? batch.columns[slot] : nullptr;
    if (column == nullptr || column->form() != ColumnForm::kDictionary ||
        column->base()->size() > batch.num_selected()) {
        return false;
    }
    Batch values;
    values.num_rows = column->base()->size();
    values.columns.resize(batch.columns.size());
    values.columns[slot] = column->base();
    const Result<ColumnPtr> answers = conjunct.evaluate_all(values, context);
    if (!answers.ok()) {
        return false;  // Maybe of a value that no row has; the rows decide.
    }
    bool null_passes = false;
    if (column->may_have_nulls()) {
        values.num_rows = 1;
        values.columns[slot] = Column::all_null(column->type(), 1);
        ASSIGN_OR_RETURN(const ColumnPtr of_null, conjunct.evaluate_all(values, context));
        null_passes = !of_null->is_null(0) && ColumnView<uint8_t>(*of_null)[0] != 0;
    }
    std::vector<uint8_t> passes(column->base()->size());
    const ColumnView<uint8_t> view(*answers.value());
    for (uint32_t i = 0; i < passes.size(); ++i) {
        passes[i] = view.is_valid(i) && view[i] != 0 ? 1 : 0;
    }
    const uint32_t* codes = column->codes();
    const uint64_t* valid = column->valid_words();
    if (valid == nullptr) {
        narrow(batch, [&](uint32_t row) { return passes[codes[row]] != 0; });
    } else {
        narrow(batch, [&](uint32_t row) {
            return validity::is_valid(valid, row) ? passes[codes[row]] != 0 : null_passes;
        });
    }
    return true;
}

/// `slot op literal` or `literal op slot` on a flat column; false when the conjunct is something
/// else.
bool filter_by_comparison(const Expression& conjunct, Batch& batch) {
    if (conjunct.kind() != ExpressionKind::kCall || conjunct.children().size() != 2) {
        return false;
    }
    std::optional<PredicateOp> op =
        comparison_op(static_cast<const CallExpression&>(conjunct).name());
    const Expression* slot = conjunct.children()[0].get();
    const Expression* literal = conjunct.children()[1].get();
    if (slot->kind() == ExpressionKind::kLiteral) {
        std::swap(slot, literal);
        op = op.has_value() ? std::optional(mirrored(*op)) : op;
    }
    if (!op.has_value() || slot->kind() != ExpressionKind::kSlot ||
        literal->kind() != ExpressionKind::kLiteral) {
        return false;
    }
    const auto position = static_cast<size_t>(static_cast<const SlotExpression&>(*slot).position());
    const Scalar& constant = static_cast<const LiteralExpression&>(*literal).value();
    if (position >= batch.columns.size() || batch.columns[position] == nullptr ||
        batch.columns[position]->form() != ColumnForm::kFlat ||
        batch.columns[position]->physical() != constant.type().physical()) {
        return false;
    }
    if (constant.is_null()) {
        select_none(batch);
    } else {
        compare_flat(batch, *batch.columns[position], *op, constant);
    }
    return true;
}

Status apply(const Expression& conjunct, Batch& batch, EvalContext& context) {
    if (batch.empty()) {
        return {};
    }
    if (conjunct.kind() == ExpressionKind::kAnd) {
        for (const ExpressionPtr& child : conjunct.children()) {
            RETURN_IF_ERROR(apply(*child, batch, context));
        }
        return {};
    }
    if (filter_by_comparison(conjunct, batch)) {
        return {};
    }
    ASSIGN_OR_RETURN(const bool done, filter_by_dictionary(conjunct, batch, context));
    if (done) {
        return {};
    }
    ASSIGN_OR_RETURN(const ColumnPtr condition, evaluate(conjunct, batch, context));
    narrow_by_column(batch, condition);
    return {};
}

}  // namespace

Status evaluate_filter(
    std::span<const ExpressionPtr> conjuncts, Batch& batch, EvalContext& context
) {
    for (const ExpressionPtr& conjunct : conjuncts) {
        if (conjunct->type().physical() != PhysicalType::kBool) {
            return Status::error(
                ErrorCode::kInvalidArgument, "Conjunct is not boolean: {}", conjunct->to_string()
            );
        }
        RETURN_IF_ERROR(apply(*conjunct, batch, context));
    }
    return {};
}

}  // namespace thetis
