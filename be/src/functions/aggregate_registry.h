// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "base/status.h"
#include "column/batch.h"
#include "column/scalar.h"

namespace thetis {

/// Rows fed to an aggregate: argument columns (any form) and which rows of them. Row i of the call
/// is selection[i], or i.
struct AggregateInput {
    std::span<const ColumnPtr> arguments;
    const Selection* selection = nullptr;
    uint32_t num_rows = 0;
};

/// One bound aggregate. Its state is `state_bytes` at `state + offset` inside a group's row, which
/// the caller owns: created once, destroyed once (where `needs_destroy`). Immutable and shared
/// between threads; states are not.
class AggregateFunction {
public:
    virtual ~AggregateFunction() = default;

    virtual size_t state_bytes() const = 0;
    virtual size_t state_alignment() const = 0;
    /// False: states may be dropped without a call.
    virtual bool needs_destroy() const = 0;
    virtual void create(char* state) const = 0;
    virtual void destroy(char* state) const = 0;

    /// Row i goes into the state at groups[i] + offset. `arena` lives as long as the states.
    virtual Status update(
        const AggregateInput& input, char* const* groups, size_t offset, Arena& arena
    ) const = 0;
    /// All rows go into one state.
    virtual Status update_single(const AggregateInput& input, char* state, Arena& arena) const = 0;
    /// As update, but the one argument is a column of states that `states` made, maybe on another
    /// machine.
    virtual Status merge(
        const AggregateInput& input, char* const* groups, size_t offset, Arena& arena
    ) const = 0;

    /// Partial states as a column of state_type(), one row per group.
    virtual Result<ColumnPtr> states(char* const* groups, size_t offset, uint32_t num_groups)
        const = 0;
    /// Results, one row per group.
    virtual Result<ColumnPtr> finalize(char* const* groups, size_t offset, uint32_t num_groups)
        const = 0;

    /// Heap bytes a state holds besides itself and the arena; an estimate.
    virtual size_t heap_bytes(const char* state) const {
        (void)state;
        return 0;
    }

    const DataType& result_type() const { return result_type_; }

    const DataType& state_type() const { return state_type_; }

protected:
    AggregateFunction(DataType result_type, DataType state_type)
        : result_type_(result_type), state_type_(state_type) {}

private:
    DataType result_type_;
    DataType state_type_;
};

using AggregateFunctionPtr = std::shared_ptr<const AggregateFunction>;

/// What is known about a call when the plan is built.
struct AggregateBind {
    std::string_view name;
    std::span<const DataType> argument_types;  ///< Of the original call, in every phase.
    DataType result_type;
    DataType state_type;
    std::span<const Scalar> constants;  ///< Literal arguments in call order.
};

using AggregateFactory = std::function<Result<AggregateFunctionPtr>(const AggregateBind&)>;

/// All aggregates by catalog name. Filled once at start, then read-only and shared.
class AggregateRegistry {
public:
    void add(std::string name, AggregateFactory factory);

    /// The bound aggregate, or not_supported naming the function and its arguments.
    Result<AggregateFunctionPtr> bind(const AggregateBind& call) const;
    std::vector<std::string> names() const;

private:
    std::map<std::string, AggregateFactory, std::less<>> entries_;
};

Status unsupported_aggregate(const AggregateBind& call);

}  // namespace thetis
