// SPDX-License-Identifier: Apache-2.0
#include "functions/aggregate_registry.h"

#include <fmt/ranges.h>

namespace thetis {

void AggregateRegistry::add(std::string name, AggregateFactory factory) {
    const bool added = entries_.try_emplace(std::move(name), std::move(factory)).second;
    assert(added);
    static_cast<void>(added);
}

Result<AggregateFunctionPtr> AggregateRegistry::bind(const AggregateBind& call) const {
    auto entry = entries_.find(call.name);
    if (entry == entries_.end()) {
        return Status::error(
            ErrorCode::kNotSupported, "Aggregate function {} is not supported", call.name
        );
    }
    return entry->second(call);
}

std::vector<std::string> AggregateRegistry::names() const {
    std::vector<std::string> names;
    for (const auto& [name, factory] : entries_) {
        names.push_back(name);
    }
    return names;
}

Status unsupported_aggregate(const AggregateBind& call) {
    std::vector<std::string> types;
    for (const DataType& type : call.argument_types) {
        types.push_back(type.to_string());
    }
    return Status::error(
        ErrorCode::kNotSupported,
        "Aggregate function {} is not supported for ({})",
        call.name,
        fmt::join(types, ", ")
    );
}

}  // namespace thetis
