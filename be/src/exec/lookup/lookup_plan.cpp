// SPDX-License-Identifier: Apache-2.0
#include "exec/lookup/lookup_plan.h"

#include "exec/scan/wire_schema.h"
#include "functions/registries.h"
#include "gen_thrift/lookup_types.h"
#include "types/time_zone.h"

namespace thetis {

Result<std::shared_ptr<const LookupPlan>> LookupPlan::create(
    const wire::LookupPlan& plan, const FunctionRegistries& functions
) {
    auto result = std::make_shared<LookupPlan>();
    ASSIGN_OR_RETURN(TabletSchemaPtr schema, schema_from_wire(plan.schema));
    ASSIGN_OR_RETURN(
        result->columns_, PointColumns::create(std::move(schema), plan.column_unique_ids)
    );
    for (const wire::DataTypeDesc& desc : plan.parameter_types) {
        ASSIGN_OR_RETURN(result->parameter_types_.emplace_back(), from_wire(desc));
    }
    if (plan.outputs.empty()) {
        return Status::error(ErrorCode::kInvalidArgument, "A look-up without outputs");
    }
    RETURN_IF_ERROR(result->compile_expressions(plan, functions));
    if (!plan.options.time_zone.empty()) {
        ASSIGN_OR_RETURN(result->eval_.time_zone, TimeZone::load(plan.options.time_zone));
    }
    result->eval_.now_micros = plan.options.now_micros;
    result->eval_.check_decimal_overflow =
        !plan.options.__isset.check_overflow_for_decimal || plan.options.check_overflow_for_decimal;
    result->find_column_outputs();
    return std::shared_ptr<const LookupPlan>(std::move(result));
}

Status LookupPlan::compile_expressions(
    const wire::LookupPlan& plan, const FunctionRegistries& functions
) {
    ASSIGN_OR_RETURN(outputs_, compile_all(plan.outputs, functions));
    ASSIGN_OR_RETURN(conjuncts_, compile_all(plan.conjuncts, functions));
    for (const ExpressionPtr& conjunct : conjuncts_) {
        if (conjunct->type().physical() != PhysicalType::kBool) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "A look-up's condition is of type {}",
                conjunct->type().to_string()
            );
        }
    }
    return check_slots();
}

/// Slots are to name what is there under its type: evaluation does not look again.
Status LookupPlan::check_slots() const {
    std::vector<const Expression*> left;
    for (const auto* expressions : {&outputs_, &conjuncts_}) {
        for (const ExpressionPtr& expression : *expressions) {
            left.push_back(expression.get());
        }
    }
    const size_t num_columns = columns_->size();
    while (!left.empty()) {
        const Expression& expression = *left.back();
        left.pop_back();
        for (const ExpressionPtr& child : expression.children()) {
            left.push_back(child.get());
        }
        if (expression.kind() != ExpressionKind::kSlot) {
            continue;
        }
        const auto slot = static_cast<size_t>(expression.slots().front());
        if (slot >= num_columns + parameter_types_.size()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "A look-up names slot {} of {}",
                slot,
                num_columns + parameter_types_.size()
            );
        }
        const DataType& type =
            slot < num_columns ? columns_->type(slot) : parameter_types_[slot - num_columns];
        if (type.id != expression.type().id || type.scale != expression.type().scale ||
            type.physical() != expression.type().physical()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "A look-up takes slot {} of type {} for {}",
                slot,
                type.to_string(),
                expression.type().to_string()
            );
        }
    }
    return {};
}

void LookupPlan::find_column_outputs() {
    if (!conjuncts_.empty()) {
        return;
    }
    for (const ExpressionPtr& output : outputs_) {
        const bool is_column = output->kind() == ExpressionKind::kSlot &&
                               static_cast<size_t>(output->slots().front()) < columns_->size();
        ColumnOutput column{
            .column = is_column ? static_cast<size_t>(output->slots().front()) : 0,
            .text = CellEncoder(output->type(), false),
            .binary = CellEncoder(output->type(), true)
        };
        if (!is_column || !column.text.is_supported() || !column.binary.is_supported()) {
            column_outputs_.clear();
            return;
        }
        column_outputs_.push_back(column);
    }
}

}  // namespace thetis
