// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "exec/hash/key_rows.h"
#include "expr/expression.h"
#include "functions/aggregate_registry.h"

namespace thetis {

/// What one aggregation computes; immutable, shared by its tasks.
struct AggregateSpec {
    struct Call {
        AggregateFunctionPtr function;
        std::vector<ExpressionPtr> arguments;
        size_t offset = 0;  ///< In the row of states of a group.
        bool is_distinct = false;
    };

    /// Lays the states out one after another, aligned.
    void layout_states();

    std::vector<ExpressionPtr> keys;
    std::unique_ptr<KeyLayout> key_layout;  ///< Null without keys.
    std::vector<Call> calls;
    size_t row_bytes = 0;
    size_t row_alignment = 8;
    bool needs_destroy = false;
    bool input_is_state = false;   ///< FINAL and MERGE: arguments are columns of states.
    bool output_is_state = false;  ///< PARTIAL and MERGE.
    bool has_distinct = false;
};

}  // namespace thetis
