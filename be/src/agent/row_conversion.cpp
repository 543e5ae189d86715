// SPDX-License-Identifier: Apache-2.0
#include "agent/row_conversion.h"

#include "column/lossless_text.h"
#include "expr/expression.h"
#include "gen_thrift/expr_types.h"

namespace thetis {

namespace {

class RowConversion final : public RowTransform {
public:
    RowConversion(
        const TabletSchema& base,
        std::vector<SchemaColumn> targets,
        std::vector<ExpressionPtr> expressions
    )
        : targets_(std::move(targets)), expressions_(std::move(expressions)) {
        slots_ = referenced_slots(expressions_);
        for (const int slot : slots_) {
            ids_.push_back(base.columns()[static_cast<size_t>(slot)].unique_id);
        }
        for (const SchemaColumn& column : base.columns()) {
            base_types_.push_back(column.type);
        }
    }

    const std::vector<int32_t>& column_unique_ids() const override { return ids_; }

    Result<Batch> apply(const Batch& rows) const override {
        Batch input;
        input.num_rows = rows.num_rows;
        // Columns that nothing reads keep the others at their positions.
        for (const DataType& type : base_types_) {
            input.columns.push_back(Column::all_null(type, rows.num_rows));
        }
        for (size_t i = 0; i < slots_.size(); ++i) {
            input.columns[static_cast<size_t>(slots_[i])] = rows.columns[i];
        }
        EvalContext context;
        Batch output;
        output.num_rows = rows.num_rows;
        for (size_t i = 0; i < expressions_.size(); ++i) {
            ASSIGN_OR_RETURN(auto values, evaluate(*expressions_[i], input, context));
            RETURN_IF_ERROR(check(i, input, *values));
            output.columns.push_back(std::move(values));
        }
        return output;
    }

private:
    Status check(size_t i, const Batch& input, const Column& values) const {
        const Expression& expression = *expressions_[i];
        const bool is_cast =
            expression.kind() == ExpressionKind::kCast && expression.slots().size() == 1;
        const Column* source =
            is_cast ? input.columns[static_cast<size_t>(expression.slots().front())].get()
                    : nullptr;
        const bool is_parsed = is_cast && source->type().is_string() && !values.type().is_string();
        if (!is_parsed && !values.may_have_nulls()) {
            return {};
        }
        for (uint32_t row = 0; row < values.size(); ++row) {
            const bool is_null = values.is_null(row);
            const bool is_lost = is_cast && !source->is_null(row) &&
                                 (is_null || (is_parsed && !keeps_text(*source, values, row)));
            if (is_lost) {
                return Status::error(
                    ErrorCode::kInvalidArgument,
                    "The value '{}' cannot be converted to column {} of type {}",
                    Scalar::from_column(*source, row).to_string(),
                    targets_[i].name,
                    targets_[i].type.to_string()
                );
            }
            if (is_null && !targets_[i].type.nullable) {
                return Status::error(
                    ErrorCode::kInvalidArgument,
                    "NULL cannot be converted to column {}, which is NOT NULL",
                    targets_[i].name
                );
            }
        }
        return {};
    }

    const std::vector<SchemaColumn> targets_;
    const std::vector<ExpressionPtr> expressions_;
    std::vector<DataType> base_types_;
    std::vector<int> slots_;
    std::vector<int32_t> ids_;
};

}  // namespace

Result<std::shared_ptr<const RowTransform>> make_row_conversion(
    const TabletSchema& base,
    const TabletSchema& shadow,
    const std::vector<wire::Expr>& expressions,
    const FunctionRegistries& functions
) {
    std::vector<SchemaColumn> targets;
    for (const SchemaColumn& column : shadow.columns()) {
        const bool is_made_here =
            column.unique_id == shadow.version_id() || column.unique_id == shadow.row_store_id();
        if (!is_made_here) {
            targets.push_back(column);
        }
    }
    if (targets.size() != expressions.size()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "{} expressions cannot make the {} columns of the new schema",
            expressions.size(),
            targets.size()
        );
    }
    ASSIGN_OR_RETURN(auto compiled, compile_all(expressions, functions));
    for (const int slot : referenced_slots(compiled)) {
        if (static_cast<size_t>(slot) >= base.num_columns()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "a conversion reads column {} of {}",
                slot,
                base.num_columns()
            );
        }
    }
    for (size_t i = 0; i < compiled.size(); ++i) {
        if (compiled[i]->type().physical() != targets[i].type.physical()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "column {} of type {} cannot take {}",
                targets[i].name,
                targets[i].type.to_string(),
                compiled[i]->to_string()
            );
        }
    }
    return std::shared_ptr<const RowTransform>(
        std::make_shared<const RowConversion>(base, std::move(targets), std::move(compiled))
    );
}

}  // namespace thetis
