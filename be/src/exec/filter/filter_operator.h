// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "exec/pipeline/operator.h"
#include "expr/expression.h"

namespace thetis {

/// Narrows the selection to rows where all conjuncts are true.
class FilterOperator final : public MapTransform {
public:
    FilterOperator(std::shared_ptr<const std::vector<ExpressionPtr>> conjuncts, EvalContext context)
        : conjuncts_(std::move(conjuncts)), context_(context) {}

protected:
    Status apply(Batch& batch) override { return evaluate_filter(*conjuncts_, batch, context_); }

private:
    std::shared_ptr<const std::vector<ExpressionPtr>> conjuncts_;
    EvalContext context_;
};

/// Computes one column per expression.
class ProjectOperator final : public MapTransform {
public:
    ProjectOperator(
        std::shared_ptr<const std::vector<ExpressionPtr>> expressions, EvalContext context
    )
        : expressions_(std::move(expressions)), context_(context) {}

protected:
    Status apply(Batch& batch) override {
        ASSIGN_OR_RETURN(batch, project(*expressions_, batch, context_));
        return {};
    }

private:
    std::shared_ptr<const std::vector<ExpressionPtr>> expressions_;
    EvalContext context_;
};

}  // namespace thetis
