// SPDX-License-Identifier: Apache-2.0
#include "functions/registries.h"

#include <fmt/ranges.h>

#include "functions/function_names.gen.h"
#include "functions/register_aggregate.gen.h"
#include "functions/register_scalar.gen.h"

namespace thetis {

FunctionRegistries FunctionRegistries::create() {
    FunctionRegistries registries;
    register_all_scalar(registries.scalar);
    register_all_aggregate(registries.aggregate);
    return registries;
}

Status FunctionRegistries::check_catalog() const {
    std::vector<std::string_view> missing;
    for (std::string_view name : kScalarFunctionNames) {
        if (!name.empty() && scalar.find(name) == nullptr) {
            missing.push_back(name);
        }
    }
    const std::vector<std::string> aggregates = aggregate.names();
    for (std::string_view name : kAggregateFunctionNames) {
        if (!name.empty() && !std::binary_search(aggregates.begin(), aggregates.end(), name)) {
            missing.push_back(name);
        }
    }
    if (!missing.empty()) {
        return Status::error(
            ErrorCode::kInternal,
            "The function catalog names functions without a kernel: {}",
            fmt::join(missing, ", ")
        );
    }
    return {};
}

}  // namespace thetis
