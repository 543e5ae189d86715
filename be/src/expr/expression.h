// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "column/batch.h"
#include "column/scalar.h"
#include "functions/eval_context.h"

namespace thetis {

namespace wire {
class Expr;
class Literal;
class DataTypeDesc;
}  // namespace wire

struct FunctionRegistries;

enum class ExpressionKind : uint8_t { kLiteral, kSlot, kCall, kCast, kAnd, kOr, kCase, kIn };

class Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

/// A compiled expression over the columns of a batch. Immutable, shared by all tasks of a pipeline.
class Expression {
public:
    virtual ~Expression() = default;

    ExpressionKind kind() const { return kind_; }

    const DataType& type() const { return type_; }

    const std::vector<ExpressionPtr>& children() const { return children_; }

    /// True when no child is a slot or a volatile call: the same for all rows.
    bool is_constant() const { return is_constant_; }

    /// False when a volatile function is anywhere inside.
    bool is_deterministic() const { return is_deterministic_; }

    /// Positions of the input columns that this reads, ascending.
    const std::vector<int>& slots() const { return slots_; }

    /// `eq(#0, 5)`, for profiles and messages.
    virtual std::string to_string() const = 0;

    /// The value for every row of the batch, selected or not. Use evaluate(), which minds the
    /// selection.
    virtual Result<ColumnPtr> evaluate_all(const Batch& batch, EvalContext& context) const = 0;

protected:
    /// Slots are those of the children; constant when all children are.
    Expression(ExpressionKind kind, DataType type, std::vector<ExpressionPtr> children);

    /// Not constant and not deterministic.
    void set_volatile() { is_constant_ = is_deterministic_ = false; }

    void set_slot(int position) {
        slots_ = {position};
        is_constant_ = false;
    }

private:
    ExpressionKind kind_;
    DataType type_;
    std::vector<ExpressionPtr> children_;
    std::vector<int> slots_;
    bool is_constant_ = true;
    bool is_deterministic_ = true;
};

/// Builds the tree, binds functions, checks types. Malformed input is an invalid_argument, unknown
/// functions not_supported.
Result<ExpressionPtr> compile(const wire::Expr& expr, const FunctionRegistries& functions);
Result<std::vector<ExpressionPtr>> compile_all(
    const std::vector<wire::Expr>& exprs, const FunctionRegistries& functions
);

Result<DataType> from_wire(const wire::DataTypeDesc& desc);
Result<Scalar> from_wire(const wire::Literal& literal, const DataType& type);

/// A column of batch.num_rows rows; rows that are not selected hold anything. Errors come only from
/// selected rows.
Result<ColumnPtr> evaluate(const Expression& expression, const Batch& batch, EvalContext& context);

/// Evaluates all expressions into a new batch that has only the selected rows, or the same rows and
/// selection as `batch`, whichever is cheaper.
Result<Batch> project(
    std::span<const ExpressionPtr> expressions, const Batch& batch, EvalContext& context
);

/// Narrows batch.selection to the rows where every conjunct is true (NULL is not).
Status evaluate_filter(
    std::span<const ExpressionPtr> conjuncts, Batch& batch, EvalContext& context
);

/// The value of an expression without slots.
Result<Scalar> evaluate_constant(const Expression& expression, EvalContext& context);

/// Positions of the input columns that some of the expressions read, ascending.
std::vector<int> referenced_slots(std::span<const ExpressionPtr> expressions);

}  // namespace thetis
