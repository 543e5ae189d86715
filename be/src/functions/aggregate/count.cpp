// SPDX-License-Identifier: Apache-2.0
#include "functions/aggregate_adapters.h"

namespace thetis {

namespace {

/// Rows, or rows where no argument is NULL.
class Count final : public StructAggregate<int64_t> {
public:
    explicit Count(const AggregateBind& call)
        : StructAggregate(call.result_type, call.state_type) {}

    void create(char* state) const override { *reinterpret_cast<int64_t*>(state) = 0; }

    bool needs_destroy() const override { return false; }

    void destroy(char*) const override {}

    Status update(const AggregateInput& input, char* const* groups, size_t offset, Arena&)
        const override {
        if (!may_have_nulls(input)) {
            for (uint32_t i = 0; i < input.num_rows; ++i) {
                ++state_at(groups[i], offset);
            }
            return {};
        }
        for (uint32_t i = 0; i < input.num_rows; ++i) {
            state_at(groups[i], offset) += is_counted(input, i) ? 1 : 0;
        }
        return {};
    }

    Status update_single(const AggregateInput& input, char* state, Arena&) const override {
        int64_t counted = input.num_rows;
        if (may_have_nulls(input)) {
            counted = 0;
            for (uint32_t i = 0; i < input.num_rows; ++i) {
                counted += is_counted(input, i) ? 1 : 0;
            }
        }
        state_at(state, 0) += counted;
        return {};
    }

    Status merge(const AggregateInput& input, char* const* groups, size_t offset, Arena&)
        const override {
        for_each_value<int64_t>(input, [groups, offset](uint32_t i, int64_t count) {
            state_at(groups[i], offset) += count;
        });
        return {};
    }

    Result<ColumnPtr> states(char* const* groups, size_t offset, uint32_t num_groups)
        const override {
        return finalize(groups, offset, num_groups);
    }

    Result<ColumnPtr> finalize(char* const* groups, size_t offset, uint32_t num_groups)
        const override {
        ColumnBuilder builder(result_type(), num_groups);
        for (uint32_t i = 0; i < num_groups; ++i) {
            builder.append(state_at(groups[i], offset));
        }
        return builder.finish();
    }

private:
    static bool may_have_nulls(const AggregateInput& input) {
        return std::any_of(
            input.arguments.begin(),
            input.arguments.end(),
            [](const ColumnPtr& argument) { return argument->may_have_nulls(); }
        );
    }

    static bool is_counted(const AggregateInput& input, uint32_t i) {
        const uint32_t row = input.selection == nullptr ? i : (*input.selection)[i];
        return std::none_of(
            input.arguments.begin(),
            input.arguments.end(),
            [row](const ColumnPtr& argument) { return argument->is_null(row); }
        );
    }
};

}  // namespace

void register_count(AggregateRegistry& registry) {
    registry.add("count", [](const AggregateBind& call) -> Result<AggregateFunctionPtr> {
        return AggregateFunctionPtr(std::make_shared<const Count>(call));
    });
}

}  // namespace thetis
