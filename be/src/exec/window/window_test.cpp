// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "exec/window/window_spec.h"
#include "functions/function_names.gen.h"

namespace thetis {

TEST(WindowFunctions, KnowsEveryNameOfTheCatalog) {
    for (std::string_view name : kWindowFunctionNames) {
        EXPECT_NE(window_function(name), WindowFunction::kAggregate) << name;
    }
}

}  // namespace thetis
