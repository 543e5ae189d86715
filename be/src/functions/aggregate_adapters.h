// SPDX-License-Identifier: Apache-2.0
// Adapters that make aggregates out of small state structs: they read columns of any form, skip
// NULLs and write results. For .cpp files under functions/ only.
#pragma once

#include <new>
#include <string>
#include <string_view>
#include <type_traits>

#include "column/builder.h"
#include "functions/aggregate_registry.h"

namespace thetis {

/// Calls apply(i, value) for row i of the input where the argument is not NULL.
template <typename T, typename Apply>
void for_each_value(const AggregateInput& input, Apply apply) {
    const Column& column = *input.arguments[0];
    const uint16_t* rows = input.selection == nullptr ? nullptr : input.selection->data();
    if (column.form() == ColumnForm::kFlat && column.valid_words() == nullptr) {
        const T* values = column.values<T>();
        if (rows == nullptr) {
            for (uint32_t i = 0; i < input.num_rows; ++i) {
                apply(i, values[i]);
            }
        } else {
            for (uint32_t i = 0; i < input.num_rows; ++i) {
                apply(i, values[rows[i]]);
            }
        }
        return;
    }
    const ColumnView<T> view(column);
    for (uint32_t i = 0; i < input.num_rows; ++i) {
        const uint32_t row = rows == nullptr ? i : rows[i];
        if (view.is_valid(row)) {
            apply(i, view[row]);
        }
    }
}

/// Exact sum of value_at(0) .. value_at(num_rows - 1), for at most kMaxBatchRows rows. Narrow lanes
/// that cannot overflow in one batch take the place of 128-bit additions one after another.
template <typename T, typename ValueAt>
__int128 sum_of_batch(uint32_t num_rows, ValueAt value_at) {
    if constexpr (sizeof(T) == 16) {
        unsigned __int128 even = 0;
        unsigned __int128 odd = 0;
        uint32_t i = 0;
        for (; i + 1 < num_rows; i += 2) {
            even += static_cast<unsigned __int128>(value_at(i));
            odd += static_cast<unsigned __int128>(value_at(i + 1));
        }
        if (i < num_rows) {
            even += static_cast<unsigned __int128>(value_at(i));
        }
        return static_cast<__int128>(even + odd);
    } else if constexpr (sizeof(T) == 8) {
        uint64_t low = 0;
        int64_t high = 0;
        for (uint32_t i = 0; i < num_rows; ++i) {
            const int64_t value = value_at(i);
            low += static_cast<uint32_t>(value);
            high += value >> 32;
        }
        return static_cast<__int128>(high) * (int64_t{1} << 32) + static_cast<__int128>(low);
    } else {
        int64_t sum = 0;
        for (uint32_t i = 0; i < num_rows; ++i) {
            sum += value_at(i);
        }
        return sum;
    }
}

/// The same for the named rows (null: the first ones) of values that are not NULL.
template <typename T>
__int128 sum_of_values(const T* values, const uint16_t* rows, uint32_t num_rows) {
    if (rows == nullptr) {
        return sum_of_batch<T>(num_rows, [values](uint32_t i) { return values[i]; });
    }
    return sum_of_batch<T>(num_rows, [values, rows](uint32_t i) { return values[rows[i]]; });
}

/// The rows an input names; null when it is the first num_rows.
inline const uint16_t* rows_of(const AggregateInput& input) {
    return input.selection == nullptr ? nullptr : input.selection->data();
}

/// Whether every row of the one argument has a value of its own: no NULLs, no codes.
inline bool has_plain_values(const AggregateInput& input) {
    const Column& column = *input.arguments[0];
    return column.form() == ColumnForm::kFlat && column.valid_words() == nullptr;
}

/// The same for two arguments, both not NULL.
template <typename A, typename B, typename Apply>
void for_each_pair(const AggregateInput& input, Apply apply) {
    const ColumnView<A> a(*input.arguments[0]);
    const ColumnView<B> b(*input.arguments[1]);
    for (uint32_t i = 0; i < input.num_rows; ++i) {
        const uint32_t row = input.selection == nullptr ? i : (*input.selection)[i];
        if (a.is_valid(row) && b.is_valid(row)) {
            apply(i, a[row], b[row]);
        }
    }
}

/// State handling that is the same for all aggregates with a state struct.
template <typename State>
class StructAggregate : public AggregateFunction {
public:
    size_t state_bytes() const override { return sizeof(State); }

    size_t state_alignment() const override { return alignof(State); }

    bool needs_destroy() const override { return !std::is_trivially_destructible_v<State>; }

    void create(char* state) const override { new (state) State(); }

    void destroy(char* state) const override { reinterpret_cast<State*>(state)->~State(); }

protected:
    StructAggregate(DataType result_type, DataType state_type)
        : AggregateFunction(result_type, state_type) {}

    static State& state_at(char* group, size_t offset) {
        return *reinterpret_cast<State*>(group + offset);
    }
};

/// Aggregates whose partial state is a plain nullable value (sum, min, max, bit operations): state
/// columns have the result's type. Operation: `using Input`, `using Value`, `static void
/// add(Value&, bool& has_value, const T&)` for T = Input and Value.
template <typename Operation>
class ValueAggregate : public AggregateFunction {
    using Input = typename Operation::Input;
    using Value = typename Operation::Value;

    struct State {
        Value value{};
        bool has_value = false;
    };

public:
    /// `null_when_empty` false: no rows give zero.
    ValueAggregate(const AggregateBind& call, bool null_when_empty)
        : AggregateFunction(call.result_type, call.state_type), null_when_empty_(null_when_empty) {}

    size_t state_bytes() const override { return sizeof(State); }

    size_t state_alignment() const override { return alignof(State); }

    bool needs_destroy() const override { return false; }

    void create(char* state) const override { new (state) State(); }

    void destroy(char*) const override {}

    Status update(const AggregateInput& input, char* const* groups, size_t offset, Arena&)
        const override {
        for_each_value<Input>(input, [groups, offset](uint32_t i, const Input& value) {
            State& state = *reinterpret_cast<State*>(groups[i] + offset);
            Operation::add(state.value, state.has_value, value);
        });
        return {};
    }

    Status update_single(const AggregateInput& input, char* group, Arena&) const override {
        State state = *reinterpret_cast<State*>(group
        );  // A local copy, so that the loop keeps it in registers.
        for_each_value<Input>(input, [&state](uint32_t, const Input& value) {
            Operation::add(state.value, state.has_value, value);
        });
        *reinterpret_cast<State*>(group) = state;
        return {};
    }

    /// Adds one value to a state.
    static void add_to_state(char* group, const Value& value) {
        State& state = *reinterpret_cast<State*>(group);
        Operation::add(state.value, state.has_value, value);
    }

    Status merge(const AggregateInput& input, char* const* groups, size_t offset, Arena&)
        const override {
        for_each_value<Value>(input, [groups, offset](uint32_t i, const Value& value) {
            State& state = *reinterpret_cast<State*>(groups[i] + offset);
            Operation::add(state.value, state.has_value, value);
        });
        return {};
    }

    Result<ColumnPtr> states(char* const* groups, size_t offset, uint32_t num_groups)
        const override {
        return write(groups, offset, num_groups, state_type(), true);
    }

    Result<ColumnPtr> finalize(char* const* groups, size_t offset, uint32_t num_groups)
        const override {
        return write(groups, offset, num_groups, result_type(), null_when_empty_);
    }

private:
    static ColumnPtr write(
        char* const* groups, size_t offset, uint32_t num_groups, const DataType& type, bool nulls
    ) {
        ColumnBuilder builder(type, num_groups);
        for (uint32_t i = 0; i < num_groups; ++i) {
            const State& state = *reinterpret_cast<const State*>(groups[i] + offset);
            if (state.has_value || !nulls) {
                builder.append<Value>(state.value);
            } else {
                builder.append_null();
            }
        }
        return builder.finish();
    }

    bool null_when_empty_;
};

/// Aggregates whose partial state is a byte string. State: `void merge(const State&)`, `void
/// write(std::string&) const`, `bool read(std::string_view)`, `void append_result(ColumnBuilder&)
/// const`, `size_t heap_bytes() const`; Feed: a value with `template <typename Apply> void
/// operator()(const AggregateInput&, Apply)` that calls apply(i, [](State&) { ... }) per row.
template <typename State, typename Feed>
class BytesAggregate final : public StructAggregate<State> {
public:
    BytesAggregate(const AggregateBind& call, Feed feed, State initial = {})
        : StructAggregate<State>(call.result_type, call.state_type),
          feed_(std::move(feed)),
          initial_(std::move(initial)) {}

    void create(char* state) const override { new (state) State(initial_); }

    Status update(const AggregateInput& input, char* const* groups, size_t offset, Arena&)
        const override {
        feed_(input, [groups, offset](uint32_t i, auto change) {
            change(*reinterpret_cast<State*>(groups[i] + offset));
        });
        return {};
    }

    Status update_single(const AggregateInput& input, char* group, Arena&) const override {
        State& state = *reinterpret_cast<State*>(group);
        feed_(input, [&state](uint32_t, auto change) { change(state); });
        return {};
    }

    Status merge(const AggregateInput& input, char* const* groups, size_t offset, Arena&)
        const override {
        bool all_sound = true;
        for_each_value<StringRef>(input, [&](uint32_t i, const StringRef& bytes) {
            State other(initial_);
            if (other.read(bytes.view())) {
                reinterpret_cast<State*>(groups[i] + offset)->merge(other);
            } else {
                all_sound = false;
            }
        });
        return all_sound ? Status()
                         : Status::error(
                               ErrorCode::kCorruption, "Malformed state of an aggregate function"
                           );
    }

    Result<ColumnPtr> states(char* const* groups, size_t offset, uint32_t num_groups)
        const override {
        ColumnBuilder builder(this->state_type(), num_groups);
        std::string bytes;
        for (uint32_t i = 0; i < num_groups; ++i) {
            bytes.clear();
            reinterpret_cast<const State*>(groups[i] + offset)->write(bytes);
            builder.append_string(bytes);
        }
        return builder.finish();
    }

    Result<ColumnPtr> finalize(char* const* groups, size_t offset, uint32_t num_groups)
        const override {
        ColumnBuilder builder(this->result_type(), num_groups);
        for (uint32_t i = 0; i < num_groups; ++i) {
            reinterpret_cast<const State*>(groups[i] + offset)->append_result(builder);
        }
        return builder.finish();
    }

    size_t heap_bytes(const char* state) const override {
        return reinterpret_cast<const State*>(state)->heap_bytes();
    }

private:
    Feed feed_;
    State initial_;
};

/// Raw bytes of a trivially copyable state.
template <typename Plain>
void write_plain(const Plain& state, std::string& out) {
    static_assert(std::is_trivially_copyable_v<Plain>);
    out.append(reinterpret_cast<const char*>(&state), sizeof(Plain));
}

template <typename Plain>
bool read_plain(std::string_view bytes, Plain& state) {
    if (bytes.size() != sizeof(Plain)) {
        return false;
    }
    std::memcpy(&state, bytes.data(), sizeof(Plain));
    return true;
}

template <typename State, typename Feed>
AggregateFunctionPtr make_bytes_aggregate(
    const AggregateBind& call, Feed feed, State initial = {}
) {
    return std::make_shared<const BytesAggregate<State, Feed>>(
        call, std::move(feed), std::move(initial)
    );
}

}  // namespace thetis
