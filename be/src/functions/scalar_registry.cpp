// SPDX-License-Identifier: Apache-2.0
#include "functions/scalar_registry.h"

#include <fmt/ranges.h>

namespace thetis {

void ScalarRegistry::add(std::string name, KernelFactory factory, ScalarTraits traits) {
    const bool added =
        entries_.try_emplace(std::move(name), Entry{std::move(factory), traits}).second;
    assert(added);
    static_cast<void>(added);
}

void ScalarRegistry::add_kernel(std::string name, Kernel kernel, ScalarTraits traits) {
    add(
        std::move(name),
        [kernel = std::move(kernel)](const BindCall&) -> Result<Kernel> { return kernel; },
        traits
    );
}

const ScalarRegistry::Entry* ScalarRegistry::find(std::string_view name) const {
    auto entry = entries_.find(name);
    return entry == entries_.end() ? nullptr : &entry->second;
}

std::vector<std::string> ScalarRegistry::names() const {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) {
        names.push_back(name);
    }
    return names;
}

Status unsupported_arguments(const BindCall& call) {
    std::vector<std::string> types;
    for (const DataType& type : call.argument_types) {
        types.push_back(type.to_string());
    }
    return Status::error(
        ErrorCode::kNotSupported,
        "Function {} is not supported for ({})",
        call.name,
        fmt::join(types, ", ")
    );
}

}  // namespace thetis
