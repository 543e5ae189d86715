// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "exec/sink/mysql_cells.h"
#include "expr/expression.h"
#include "functions/eval_context.h"
#include "storage/tablet/point_reader.h"

namespace thetis {

struct FunctionRegistries;

namespace wire {
class LookupPlan;
}

/// A prepared key look-up: what is read of each row and what is made of it. Immutable, shared by
/// all look-ups that name it.
class LookupPlan {
public:
    /// An output that is a column as it is.
    struct ColumnOutput {
        size_t column = 0;  ///< Position in columns().
        CellEncoder text;
        CellEncoder binary;
    };

    /// invalid_argument for a plan that makes no sense, whatever the bytes it came from.
    static Result<std::shared_ptr<const LookupPlan>> create(
        const wire::LookupPlan& plan, const FunctionRegistries& functions
    );

    const PointColumns& columns() const { return *columns_; }

    const std::vector<DataType>& parameter_types() const { return parameter_types_; }

    /// All outputs when each is a column and nothing is to be evaluated; else empty.
    const std::vector<ColumnOutput>& column_outputs() const { return column_outputs_; }

    bool is_plain() const { return !column_outputs_.empty(); }

    /// Over the columns, then the parameters.
    const std::vector<ExpressionPtr>& outputs() const { return outputs_; }

    const std::vector<ExpressionPtr>& conjuncts() const { return conjuncts_; }

    /// To be copied by each call.
    const EvalContext& eval() const { return eval_; }

    /// Use create().
    LookupPlan() = default;

private:
    Status compile_expressions(const wire::LookupPlan& plan, const FunctionRegistries& functions);
    Status check_slots() const;
    void find_column_outputs();

    std::shared_ptr<const PointColumns> columns_;
    std::vector<DataType> parameter_types_;
    std::vector<ExpressionPtr> outputs_;
    std::vector<ExpressionPtr> conjuncts_;
    std::vector<ColumnOutput> column_outputs_;
    EvalContext eval_;
};

}  // namespace thetis
