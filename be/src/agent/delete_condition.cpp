// SPDX-License-Identifier: Apache-2.0
#include "agent/delete_condition.h"

#include "backend_service_types.h"
#include "expr/expression.h"
#include "expr/predicate_extraction.h"
#include "wire/thrift_codec.h"

namespace thetis {

namespace {

class DeleteCondition final : public DeleteFilter {
public:
    DeleteCondition(
        std::vector<int32_t> column_unique_ids,
        std::vector<ExpressionPtr> conjuncts,
        ColumnTests column_tests,
        bool is_exact
    )
        : DeleteFilter(std::move(column_tests), is_exact),
          column_unique_ids_(std::move(column_unique_ids)),
          conjuncts_(std::move(conjuncts)) {}

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

/// The tests of single columns that the conjuncts contain; says whether they are all there is.
Result<DeleteFilter::ColumnTests> column_tests(
    const std::vector<ExpressionPtr>& conjuncts,
    const std::vector<int32_t>& column_unique_ids,
    const TabletSchema& schema,
    bool& is_exact
) {
    DeleteFilter::ColumnTests tests;
    std::vector<bool> is_done(conjuncts.size(), false);
    for (const SimplePredicate& predicate : extract_predicates(conjuncts)) {
        const int32_t unique_id = column_unique_ids[static_cast<size_t>(predicate.position)];
        const DataType& type = schema.columns()[*schema.find_column(unique_id)].type;
        const bool is_null_test =
            predicate.op == PredicateOp::kIsNull || predicate.op == PredicateOp::kIsNotNull;
        ColumnPtr values = is_null_test ? nullptr : operand_column(predicate, type);
        if (!is_null_test && values == nullptr) {
            continue;
        }
        ASSIGN_OR_RETURN(
            auto test,
            PredicateEvaluator::create({unique_id, predicate.op, std::move(values)}, type)
        );
        tests.push_back(std::move(test));
        is_done[predicate.conjunct] = is_done[predicate.conjunct] || predicate.is_exact;
    }
    is_exact = std::find(is_done.begin(), is_done.end(), false) == is_done.end();
    return tests;
}

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
    bool is_exact = false;
    ASSIGN_OR_RETURN(
        auto tests, column_tests(conjuncts, predicate.column_unique_ids, schema, is_exact)
    );
    return DeleteFilterPtr(std::make_shared<const DeleteCondition>(
        std::move(predicate.column_unique_ids), std::move(conjuncts), std::move(tests), is_exact
    ));
}

}  // namespace

DeleteFilterCompiler delete_condition_compiler(const FunctionRegistries& functions) {
    return [&functions](std::string_view condition, const TabletSchema& schema) {
        return compile_condition(condition, schema, functions);
    };
}

}  // namespace thetis
