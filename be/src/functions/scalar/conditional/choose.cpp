// SPDX-License-Identifier: Apache-2.0
// if, ifnull, coalesce, nullif, nullable, single_row_value, null_or_empty, not_null_or_empty: each
// row takes its value from one argument.
#include "functions/adapters.h"

namespace thetis {

namespace {

/// Row i of the result is row i of argument first_argument + choice(i), or NULL for a choice of
/// kNone.
constexpr uint32_t kNone = UINT32_MAX;

template <typename Choice>
ColumnPtr choose(const KernelCall& call, size_t first_argument, Choice choice) {
    return visit_physical(call.result_type.physical(), [&](auto tag) {
        using T = decltype(tag);
        std::vector<ColumnView<T>> views;
        ColumnBuilder builder(call.result_type, call.num_rows);
        for (size_t i = first_argument; i < call.arguments.size(); ++i) {
            const Column& column = *call.arguments[i];
            views.emplace_back(column);
            // Results refer to the arguments' long strings.
            for (const BufferPtr& payload : column.form() == ColumnForm::kFlat
                                                ? column.payloads()
                                                : column.base()->payloads()) {
                builder.keep_alive(payload);
            }
        }
        T* out = builder.append_uninitialized<T>(call.num_rows);
        for (uint32_t i = 0; i < call.num_rows; ++i) {
            const uint32_t chosen = choice(i);
            if (chosen != kNone && views[chosen].is_valid(i)) {
                out[i] = views[chosen][i];
            } else {
                out[i] = T{};
                builder.set_null(i);
            }
        }
        return builder.finish();
    });
}

bool same_physical_types(const BindCall& call, size_t first) {
    for (size_t i = first; i < call.argument_types.size(); ++i) {
        if (call.argument_types[i].physical() != call.result_type.physical()) {
            return false;
        }
    }
    return call.argument_types.size() > first;
}

Result<ColumnPtr> first_valid(const KernelCall& call) {
    const auto num_arguments = static_cast<uint32_t>(call.arguments.size());
    if (!call.arguments[0]->may_have_nulls()) {
        return call.arguments[0];
    }
    return choose(call, 0, [&](uint32_t row) {
        for (uint32_t i = 0; i < num_arguments; ++i) {
            if (!call.arguments[i]->is_null(row)) {
                return i;
            }
        }
        return kNone;
    });
}

Result<ColumnPtr> if_then_else(const KernelCall& call) {
    const ColumnView<uint8_t> condition(*call.arguments[0]);
    return choose(call, 1, [&](uint32_t row) {
        return condition.is_valid(row) && condition[row] != 0 ? 0U : 1U;
    });
}

Result<ColumnPtr> null_if(const KernelCall& call) {
    return visit_physical(call.result_type.physical(), [&](auto tag) {
        using T = decltype(tag);
        const ColumnView<T> a(*call.arguments[0]);
        const ColumnView<T> b(*call.arguments[1]);
        return choose(call, 0, [&](uint32_t row) {
            return a.is_valid(row) && b.is_valid(row) && a[row] == b[row] ? kNone : 0U;
        });
    });
}

KernelFactory choosing(Kernel kernel, size_t first) {
    return [kernel = std::move(kernel), first](const BindCall& call) -> Result<Kernel> {
        if (!same_physical_types(call, first)) {
            return unsupported_arguments(call);
        }
        return kernel;
    };
}

// A correlated scalar subquery: the first argument counts its rows for the outer row.
Result<ColumnPtr> single_row_value(const KernelCall& call) {
    const ColumnView<int64_t> counts(*call.arguments[0]);
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        if (counts.is_valid(i) && counts[i] > 1) {
            return Status(ErrorCode::kSubqueryRows, "Subquery returns more than 1 row");
        }
    }
    return call.arguments[1];
}

template <bool kWhenNull>
Result<ColumnPtr> test_empty(const KernelCall& call) {
    const ColumnView<StringRef> text(*call.arguments[0]);
    auto out = Buffer::allocate(call.num_rows);
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        out->as<uint8_t>()[i] = (!text.is_valid(i) || text[i].size() == 0) == kWhenNull ? 1 : 0;
    }
    return Column::flat(call.result_type, call.num_rows, std::move(out));
}

}  // namespace

void register_choose(ScalarRegistry& registry) {
    registry.add("if", choosing(if_then_else, 1), kSeesNulls);
    registry.add("ifnull", choosing(first_valid, 0), kSeesNulls);
    registry.add("coalesce", choosing(first_valid, 0), kSeesNulls);
    registry.add("nullif", choosing(null_if, 0), kSeesNulls);
    registry.add_kernel(
        "nullable",
        [](const KernelCall& call) -> Result<ColumnPtr> { return call.arguments[0]; },
        kSeesNulls
    );
    registry.add_kernel("single_row_value", single_row_value, kSeesNulls);
    registry.add_kernel(
        "non_nullable",
        [](const KernelCall& call) -> Result<ColumnPtr> {
            const Column& column = *call.arguments[0];
            for (uint32_t row = 0; column.may_have_nulls() && row < call.num_rows; ++row) {
                if (column.is_null(row)) {
                    return Status::error(ErrorCode::kInvalidArgument, "non_nullable got a NULL");
                }
            }
            return call.arguments[0];
        },
        kSeesNulls
    );
    registry.add_kernel("null_or_empty", test_empty<true>, kSeesNulls);
    registry.add_kernel("not_null_or_empty", test_empty<false>, kSeesNulls);
}

}  // namespace thetis
