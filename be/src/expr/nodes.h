// SPDX-License-Identifier: Apache-2.0
// The kinds of expressions. For .cpp files under expr/ only; others see Expression.
#pragma once

#include <string>
#include <vector>

#include "expr/expression.h"
#include "functions/scalar_registry.h"

namespace thetis {

/// A constant.
class LiteralExpression final : public Expression {
public:
    explicit LiteralExpression(Scalar value);

    const Scalar& value() const { return value_; }

    /// The value as a flat column of one row.
    const ColumnPtr& column() const { return column_; }

    std::string to_string() const override { return value_.to_string(); }

    Result<ColumnPtr> evaluate_all(const Batch& batch, EvalContext& context) const override;

private:
    Scalar value_;
    ColumnPtr column_;
};

/// A column of the input.
class SlotExpression final : public Expression {
public:
    SlotExpression(DataType type, int position);

    int position() const { return position_; }

    std::string to_string() const override;
    Result<ColumnPtr> evaluate_all(const Batch& batch, EvalContext& context) const override;

private:
    int position_;
};

/// A function of its children.
class CallExpression final : public Expression {
public:
    CallExpression(
        std::string name,
        DataType type,
        std::vector<ExpressionPtr> children,
        Kernel kernel,
        ScalarTraits traits
    );

    const std::string& name() const { return name_; }

    std::string to_string() const override;
    Result<ColumnPtr> evaluate_all(const Batch& batch, EvalContext& context) const override;

private:
    Result<ColumnPtr> evaluate_dictionary(
        std::vector<ColumnPtr>& arguments, size_t which, EvalContext& context
    ) const;

    std::string name_;
    Kernel kernel_;
    ScalarTraits traits_;
};

/// CAST of its child to its type.
class CastExpression final : public Expression {
public:
    CastExpression(DataType type, ExpressionPtr child)
        : Expression(ExpressionKind::kCast, type, {std::move(child)}) {}

    std::string to_string() const override;
    Result<ColumnPtr> evaluate_all(const Batch& batch, EvalContext& context) const override;
};

/// AND or OR with three-valued logic; later children see only the rows that earlier ones leave
/// open.
class ConnectiveExpression final : public Expression {
public:
    ConnectiveExpression(bool is_and, DataType type, std::vector<ExpressionPtr> children)
        : Expression(
              is_and ? ExpressionKind::kAnd : ExpressionKind::kOr, type, std::move(children)
          ) {}

    std::string to_string() const override;
    Result<ColumnPtr> evaluate_all(const Batch& batch, EvalContext& context) const override;
};

/// CASE without operand (the compiler turns `CASE x WHEN y` into `x = y`): when1, then1, ... [,
/// else].
class CaseExpression final : public Expression {
public:
    CaseExpression(DataType type, std::vector<ExpressionPtr> children)
        : Expression(ExpressionKind::kCase, type, std::move(children)) {}

    std::string to_string() const override;
    Result<ColumnPtr> evaluate_all(const Batch& batch, EvalContext& context) const override;
};

/// value [NOT] IN (constants).
class InExpression final : public Expression {
public:
    static Result<ExpressionPtr> create(
        DataType type, std::vector<ExpressionPtr> children, bool negated
    );
    ~InExpression() override;

    bool negated() const { return negated_; }

    bool list_has_null() const { return has_null_; }

    const std::vector<Scalar>& list() const { return list_; }

    std::string to_string() const override;
    Result<ColumnPtr> evaluate_all(const Batch& batch, EvalContext& context) const override;

    /// The list in a form fast to ask; one per physical type.
    class Lookup;

private:
    InExpression(
        DataType type,
        std::vector<ExpressionPtr> children,
        bool negated,
        bool has_null,
        std::vector<Scalar> list
    );

    bool negated_;
    bool has_null_;
    std::vector<Scalar> list_;  // Without nulls.
    std::unique_ptr<const Lookup> lookup_;
};

/// `name(child, child)`.
std::string print_call(std::string_view name, const std::vector<ExpressionPtr>& children);

}  // namespace thetis
