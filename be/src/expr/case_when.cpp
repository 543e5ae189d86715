// SPDX-License-Identifier: Apache-2.0
#include "column/builder.h"
#include "expr/nodes.h"

namespace thetis {

namespace {

/// Rows of `batch` where `condition` is true, and the rest.
void split(const Column& condition, const Batch& batch, Selection& taken, Selection& rest) {
    const ColumnView<uint8_t> view(condition);
    const uint32_t count = batch.num_selected();
    taken.resize(count);
    rest.resize(count);
    size_t num_taken = 0;
    size_t num_rest = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = batch.row_at(i);
        const bool is_true = view.is_valid(row) && view[row] != 0;
        taken[num_taken] = static_cast<uint16_t>(row);
        rest[num_rest] = static_cast<uint16_t>(row);
        num_taken += is_true ? 1 : 0;
        num_rest += is_true ? 0 : 1;
    }
    taken.resize(num_taken);
    rest.resize(num_rest);
}

/// Takes the selected rows from `value` into the result being built.
void take(const Column& value, const Batch& rows, ColumnBuilder& result) {
    visit_physical(value.physical(), [&](auto tag) {
        using T = decltype(tag);
        const ColumnView<T> view(value);
        T* out = result.values<T>();
        const uint32_t count = rows.num_selected();
        if constexpr (std::is_same_v<T, StringRef>) {
            for (const BufferPtr& payload :
                 (value.form() == ColumnForm::kFlat ? value : *value.base()).payloads()) {
                result.keep_alive(payload);
            }
        }
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t row = rows.row_at(i);
            out[row] = view[row];
        }
        if (view.may_have_nulls()) {
            for (uint32_t i = 0; i < count; ++i) {
                if (const uint32_t row = rows.row_at(i); !view.is_valid(row)) {
                    result.set_null(row);
                }
            }
        }
    });
}

}  // namespace

std::string CaseExpression::to_string() const {
    return print_call("case", children());
}

Result<ColumnPtr> CaseExpression::evaluate_all(const Batch& batch, EvalContext& context) const {
    ColumnBuilder result(type(), batch.num_rows);
    result.append_defaults(batch.num_rows);
    Batch rest = batch;
    for (size_t i = 0; i + 1 < children().size() && !rest.empty(); i += 2) {
        ASSIGN_OR_RETURN(const ColumnPtr condition, evaluate(*children()[i], rest, context));
        auto taken = std::make_shared<Selection>();
        auto left = std::make_shared<Selection>();
        split(*condition, rest, *taken, *left);
        if (!taken->empty()) {
            Batch branch = batch;
            branch.selection = std::move(taken);
            ASSIGN_OR_RETURN(const ColumnPtr value, evaluate(*children()[i + 1], branch, context));
            take(*value, branch, result);
        }
        rest.selection = std::move(left);
    }
    if (!rest.empty()) {
        if (children().size() % 2 != 0) {
            ASSIGN_OR_RETURN(const ColumnPtr value, evaluate(*children().back(), rest, context));
            take(*value, rest, result);
        } else {
            for (uint32_t i = 0; i < rest.num_selected(); ++i) {
                result.set_null(rest.row_at(i));
            }
        }
    }
    return result.finish();
}

}  // namespace thetis
