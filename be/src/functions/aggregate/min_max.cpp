// SPDX-License-Identifier: Apache-2.0
// min, max and any_value.
#include "functions/aggregate_adapters.h"

namespace thetis {

namespace {

enum class Keep : uint8_t { kLeast, kGreatest, kFirst };

template <Keep kKeep, typename T>
bool replaces(const T& value, const T& kept) {
    if constexpr (kKeep == Keep::kFirst) {
        return false;
    } else if constexpr (std::is_floating_point_v<T>) {
        // NaN is the greatest value.
        const bool less = value < kept || (kept != kept && value == value);
        const bool greater = kept < value || (value != value && kept == kept);
        return kKeep == Keep::kLeast ? less : greater;
    } else {
        return kKeep == Keep::kLeast ? value < kept : kept < value;
    }
}

template <Keep kKeep, typename T>
struct KeepOne {
    using Input = T;
    using Value = T;

    static void add(T& kept, bool& has_value, const T& value) {
        kept = !has_value || replaces<kKeep>(value, kept) ? value : kept;
        has_value = true;
    }
};

/// A text in the arena, with room that is used again when it is replaced.
struct TextState {
    StringRef value;
    char* room = nullptr;
    uint32_t room_bytes = 0;
    bool has_value = false;

    void set(const StringRef& text, Arena& arena) {
        has_value = true;
        if (text.is_inline()) {
            value = text;
            return;
        }
        if (text.size() > room_bytes) {
            room_bytes = text.size() + text.size() / 2;
            room = arena.allocate(room_bytes, 1);
        }
        std::memcpy(room, text.data(), text.size());
        value = StringRef(room, text.size());
    }
};

template <Keep kKeep>
class KeepText final : public StructAggregate<TextState> {
public:
    explicit KeepText(const AggregateBind& call)
        : StructAggregate(call.result_type, call.state_type) {}

    Status update(const AggregateInput& input, char* const* groups, size_t offset, Arena& arena)
        const override {
        for_each_value<StringRef>(input, [&](uint32_t i, const StringRef& text) {
            add(state_at(groups[i], offset), text, arena);
        });
        return {};
    }

    Status update_single(const AggregateInput& input, char* group, Arena& arena) const override {
        TextState& state = state_at(group, 0);
        for_each_value<StringRef>(input, [&](uint32_t, const StringRef& text) {
            add(state, text, arena);
        });
        return {};
    }

    Status merge(const AggregateInput& input, char* const* groups, size_t offset, Arena& arena)
        const override {
        return update(input, groups, offset, arena);
    }

    Result<ColumnPtr> states(char* const* groups, size_t offset, uint32_t num_groups)
        const override {
        return finalize(groups, offset, num_groups);
    }

    Result<ColumnPtr> finalize(char* const* groups, size_t offset, uint32_t num_groups)
        const override {
        ColumnBuilder builder(result_type(), num_groups);
        for (uint32_t i = 0; i < num_groups; ++i) {
            const TextState& state = state_at(groups[i], offset);
            if (state.has_value) {
                builder.append_string(state.value.view());
            } else {
                builder.append_null();
            }
        }
        return builder.finish();
    }

private:
    static void add(TextState& state, const StringRef& text, Arena& arena) {
        if (!state.has_value || replaces<kKeep>(text, state.value)) {
            state.set(text, arena);
        }
    }
};

template <Keep kKeep>
Result<AggregateFunctionPtr> bind(const AggregateBind& call) {
    if (call.argument_types.size() != 1 ||
        call.argument_types[0].physical() != call.result_type.physical()) {
        return unsupported_aggregate(call);
    }
    return visit_physical(call.result_type.physical(), [&](auto tag) -> AggregateFunctionPtr {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, StringRef>) {
            return std::make_shared<const KeepText<kKeep>>(call);
        } else {
            return std::make_shared<const ValueAggregate<KeepOne<kKeep, T>>>(call, true);
        }
    });
}

}  // namespace

void register_min_max(AggregateRegistry& registry) {
    registry.add("min", bind<Keep::kLeast>);
    registry.add("max", bind<Keep::kGreatest>);
    registry.add("any_value", bind<Keep::kFirst>);
}

}  // namespace thetis
