// SPDX-License-Identifier: Apache-2.0
// is_null and is_not_null.
#include "functions/adapters.h"

namespace thetis {

namespace {

ColumnPtr test_nulls(const KernelCall& call, uint8_t when_null) {
    const Column& column = *call.arguments[0];
    auto out = Buffer::allocate(call.num_rows);
    auto* result = out->as<uint8_t>();
    if (!column.may_have_nulls()) {
        std::memset(result, when_null ^ 1, call.num_rows);
    } else {
        for (uint32_t i = 0; i < call.num_rows; ++i) {
            result[i] = column.is_null(i) ? when_null : when_null ^ 1;
        }
    }
    return Column::flat(call.result_type, call.num_rows, std::move(out));
}

}  // namespace

void register_null_tests(ScalarRegistry& registry) {
    registry.add_kernel(
        "is_null",
        [](const KernelCall& call) -> Result<ColumnPtr> { return test_nulls(call, 1); },
        kSeesNulls
    );
    registry.add_kernel(
        "is_not_null",
        [](const KernelCall& call) -> Result<ColumnPtr> { return test_nulls(call, 0); },
        kSeesNulls
    );
}

}  // namespace thetis
