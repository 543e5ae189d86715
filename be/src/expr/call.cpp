// SPDX-License-Identifier: Apache-2.0
#include "expr/nodes.h"

namespace thetis {

namespace {

constexpr size_t kNotFound = SIZE_MAX;

/// The only argument that is not constant, when it is a dictionary worth computing on; else
/// kNotFound.
size_t sole_dictionary(const std::vector<ColumnPtr>& arguments, uint32_t num_rows) {
    size_t found = kNotFound;
    for (size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i]->form() == ColumnForm::kConstant) {
            continue;
        }
        if (found != kNotFound || arguments[i]->form() != ColumnForm::kDictionary ||
            arguments[i]->base()->size() > num_rows) {
            return kNotFound;
        }
        found = i;
    }
    return found;
}

bool all_constant(const std::vector<ColumnPtr>& arguments) {
    return !arguments.empty() &&
           std::all_of(arguments.begin(), arguments.end(), [](const ColumnPtr& argument) {
               return argument->form() == ColumnForm::kConstant;
           });
}

}  // namespace

CallExpression::CallExpression(
    std::string name,
    DataType type,
    std::vector<ExpressionPtr> children,
    Kernel kernel,
    ScalarTraits traits
)
    : Expression(ExpressionKind::kCall, type, std::move(children)),
      name_(std::move(name)),
      kernel_(std::move(kernel)),
      traits_(traits) {
    if (!traits_.deterministic) {
        set_volatile();
    }
}

std::string CallExpression::to_string() const {
    return print_call(name_, children());
}

Result<ColumnPtr> CallExpression::evaluate_all(const Batch& batch, EvalContext& context) const {
    std::vector<ColumnPtr> arguments;
    arguments.reserve(children().size());
    for (const ExpressionPtr& child : children()) {
        ASSIGN_OR_RETURN(ColumnPtr argument, child->evaluate_all(batch, context));
        if (traits_.propagates_nulls && argument->form() == ColumnForm::kConstant &&
            argument->is_null(0)) {
            return Column::all_null(type(), batch.num_rows);
        }
        arguments.push_back(std::move(argument));
    }
    if (traits_.deterministic && batch.num_rows > 1) {
        if (all_constant(arguments)) {
            for (ColumnPtr& argument : arguments) {
                argument = argument->base();
            }
            ASSIGN_OR_RETURN(const ColumnPtr value, kernel_({arguments, type(), 1, context}));
            return Column::constant(value->flatten(value), batch.num_rows);
        }
        if (traits_.propagates_nulls) {
            if (const size_t which = sole_dictionary(arguments, batch.num_rows);
                which != kNotFound) {
                std::vector<ColumnPtr> copies = arguments;
                Result<ColumnPtr> result = evaluate_dictionary(copies, which, context);
                if (result.ok()) {  // A value of the dictionary that no row has may fail; then the
                                    // rows decide.
                    return result;
                }
            }
        }
    }
    return kernel_({arguments, type(), batch.num_rows, context});
}

Result<ColumnPtr> CallExpression::evaluate_dictionary(
    std::vector<ColumnPtr>& arguments, size_t which, EvalContext& context
) const {
    const ColumnPtr rows = arguments[which];
    const uint32_t dictionary_size = rows->base()->size();
    for (ColumnPtr& argument : arguments) {
        argument =
            argument == rows ? rows->base() : Column::constant(argument->base(), dictionary_size);
    }
    ASSIGN_OR_RETURN(ColumnPtr values, kernel_({arguments, type(), dictionary_size, context}));
    values = values->flatten(values);
    if (values->valid_words() == nullptr && type().is_string()) {
        return Column::dictionary(
            rows->size(), rows->codes_buffer(), rows->valid_buffer(), std::move(values)
        );
    }
    const ColumnPtr gathered = gather(values, rows->codes(), rows->size());
    return Column::flat(
        type(),
        rows->size(),
        gathered->values_buffer(),
        validity::both(gathered->valid_buffer(), rows->valid_buffer(), rows->size()),
        gathered->payloads()
    );
}

}  // namespace thetis
