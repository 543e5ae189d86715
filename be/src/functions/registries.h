// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "functions/aggregate_registry.h"
#include "functions/scalar_registry.h"

namespace thetis {

/// Every function of the back end; made once by main and passed down.
struct FunctionRegistries {
    ScalarRegistry scalar;
    AggregateRegistry aggregate;

    /// Registers everything under functions/scalar and functions/aggregate.
    static FunctionRegistries create();

    /// Fails, naming them, when the function catalog has names without a kernel. Checked at start.
    Status check_catalog() const;
};

}  // namespace thetis
