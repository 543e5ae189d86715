// SPDX-License-Identifier: Apache-2.0
#include "agent/delete_condition.h"

#include "backend_service_types.h"
#include "expr/expression.h"
#include "wire/thrift_codec.h"

namespace thetis {

namespace {

class DeleteCondition final : public DeleteFilter {
public:
    DeleteCondition(std::vector<int32_t> column_unique_ids, std::vector<ExpressionPtr> conjuncts)
        : column_unique_ids_(std::move(column_unique_ids)), conjuncts_(std::move(conjuncts)) {}

    const std::vector<int32_t>& column_unique_ids() const override { return column_unique_ids_; }

    Status match(std::span<const ColumnPtr> columns, uint32_t num_rows, std::span<uint8_t> taken)
        const override {
        Batch rows;
        rows.num_rows = num_rows;
        rows.columns.assign(columns.begin(), columns.end());
        EvalContext context;
        RETURN_IF_ERROR(evaluate_filter(conjuncts_, rows, context));
        for (uint32_t i = 0; i < rows.num_selected(); ++i) {
            taken[rows.row_at(i)] = 1;
        }
        return {};
    }

private:
    const std::vector<int32_t> column_unique_ids_;
    const std::vector<ExpressionPtr> conjuncts_;
};

Result<DeleteFilterPtr> compile_condition(
    std::string_view condition, const TabletSchema& schema, const FunctionRegistries& functions
) {
    wire::DeletePredicate predicate;
    RETURN_IF_ERROR(decode_compact(condition, predicate));
    for (const int32_t unique_id : predicate.column_unique_ids) {
        const auto position = schema.find_column(unique_id);
        if (!position.has_value()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "the delete condition {} names an unknown column of unique id {}",
                predicate.text,
                unique_id
            );
        }
        const SchemaColumn& column = schema.columns()[*position];
        if (schema.keys_model() == KeysModel::kAggregate && !column.is_key) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "the delete condition {} uses column {}, which is not a key column",
                predicate.text,
                column.name
            );
        }
    }
    if (predicate.conjuncts.empty()) {
        return Status::error(ErrorCode::kInvalidArgument, "the delete condition is empty");
    }
    ASSIGN_OR_RETURN(auto conjuncts, compile_all(predicate.conjuncts, functions));
    for (const ExpressionPtr& conjunct : conjuncts) {
        if (conjunct->type().physical() != PhysicalType::kBool || !conjunct->is_deterministic()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "{} cannot be a delete condition",
                conjunct->to_string()
            );
        }
    }
    for (const int slot : referenced_slots(conjuncts)) {
        if (static_cast<size_t>(slot) >= predicate.column_unique_ids.size()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "the delete condition {} reads slot {} of {}",
                predicate.text,
                slot,
                predicate.column_unique_ids.size()
            );
        }
    }
    return DeleteFilterPtr(std::make_shared<const DeleteCondition>(
        std::move(predicate.column_unique_ids), std::move(conjuncts)
    ));
}

}  // namespace

DeleteFilterCompiler delete_condition_compiler(const FunctionRegistries& functions) {
    return [&functions](std::string_view condition, const TabletSchema& schema) {
        return compile_condition(condition, schema, functions);
    };
}

}  // namespace thetis
