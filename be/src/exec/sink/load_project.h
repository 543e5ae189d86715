// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exec/pipeline/operator.h"
#include "exec/scan/row_source.h"
#include "exec/sink/row_check.h"
#include "expr/expression.h"

namespace thetis {

/// How a load's source columns become table columns.
struct LoadProjectSpec {
    std::vector<ExpressionPtr>
        temporaries;  ///< Appended to the source columns, in order; each may use earlier ones.
    std::vector<ExpressionPtr> expressions;  ///< One per table column.
    std::vector<int>
        source_of;  ///< Per table column: the source column it converts directly, or -1.
    std::vector<ColumnRule> columns;  ///< Of the table.
    ExpressionPtr where;              ///< Over table columns; null: none.
    bool strict_mode = false;
};

/// Converts a load's rows. A row that does not convert is reported with its number, its text and
/// the reason, and left out; rows that fail the load's WHERE are counted as unselected. Input:
/// source columns, row number, row text.
class LoadProjectOperator final : public MapTransform {
public:
    LoadProjectOperator(
        std::shared_ptr<const LoadProjectSpec> spec,
        std::shared_ptr<RowErrors> errors,
        EvalContext eval
    )
        : spec_(std::move(spec)), errors_(std::move(errors)), eval_(eval) {}

protected:
    Status apply(Batch& batch) override;

private:
    void reject(
        const ColumnPtr& numbers, const ColumnPtr& texts, uint32_t row, const std::string& reason
    );
    void drop_failed_conversions(const Batch& source, Batch& batch, const RejectRow& reject);

    std::shared_ptr<const LoadProjectSpec> spec_;
    std::shared_ptr<RowErrors> errors_;
    EvalContext eval_;
};

}  // namespace thetis
