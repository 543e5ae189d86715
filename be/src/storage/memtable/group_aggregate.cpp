// SPDX-License-Identifier: Apache-2.0
#include "storage/memtable/group_aggregate.h"

#include "column/batch.h"
#include "storage/memtable/row_groups.h"

namespace thetis {

namespace {

template <typename T>
bool is_less(const T& left, const T& right) {
    if constexpr (std::is_floating_point_v<T>) {
        return left < right || (left == left && right != right);
    } else {
        return left < right;
    }
}

template <typename T>
T add(T left, T right) {
    if constexpr (std::is_floating_point_v<T>) {
        return left + right;
    } else if constexpr (sizeof(T) == 16) {
        return static_cast<T>(
            static_cast<unsigned __int128>(left) + static_cast<unsigned __int128>(right)
        );
    } else {
        using Unsigned = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<Unsigned>(left) + static_cast<Unsigned>(right));
    }
}

/// The row of each group that `is_better` prefers to those before it; nulls only when all are.
template <typename Better>
std::vector<uint32_t> choose_rows(
    const Column& column,
    std::span<const uint32_t> groups,
    std::span<const uint32_t> order,
    const Better& is_better
) {
    const uint64_t* valid = column.valid_words();
    std::vector<uint32_t> rows(groups.size() - 1);
    for (size_t i = 0; i < rows.size(); ++i) {
        uint32_t best = order.empty() ? groups[i] : order[groups[i]];
        for (uint32_t k = groups[i] + 1; k < groups[i + 1]; ++k) {
            const uint32_t row = order.empty() ? k : order[k];
            if (validity::is_valid(valid, row) &&
                (!validity::is_valid(valid, best) || is_better(row, best))) {
                best = row;
            }
        }
        rows[i] = best;
    }
    return rows;
}

template <typename T>
ColumnPtr sum_groups(
    const Column& column, std::span<const uint32_t> groups, std::span<const uint32_t> order
) {
    const auto num_groups = static_cast<uint32_t>(groups.size() - 1);
    const T* values = column.values<T>();
    const uint64_t* valid = column.valid_words();
    auto sums = Buffer::allocate(num_groups * sizeof(T));
    std::shared_ptr<Buffer> result_valid =
        valid == nullptr ? nullptr : validity::all_valid(num_groups);
    for (uint32_t i = 0; i < num_groups; ++i) {
        T sum{};
        bool is_null = true;
        for (uint32_t k = groups[i]; k < groups[i + 1]; ++k) {
            const uint32_t row = order.empty() ? k : order[k];
            if (validity::is_valid(valid, row)) {
                sum = add(sum, values[row]);
                is_null = false;
            }
        }
        sums->as<T>()[i] = sum;
        if (is_null) {
            validity::set_null(result_valid->template as<uint64_t>(), i);
        }
    }
    return Column::flat(column.type(), num_groups, std::move(sums), std::move(result_valid));
}

std::vector<uint32_t> rows_to_take(
    const Column& column,
    ValueAggregation aggregation,
    std::span<const uint32_t> groups,
    std::span<const uint32_t> order
) {
    if (aggregation == ValueAggregation::kReplaceIfNotNull) {
        return choose_rows(column, groups, order, [](uint32_t, uint32_t) { return true; });
    }
    if (aggregation != ValueAggregation::kMin && aggregation != ValueAggregation::kMax) {
        return last_of_groups(groups, order);
    }
    return visit_physical(column.physical(), [&]<typename T>(T) {
        const T* values = column.values<T>();
        if (aggregation == ValueAggregation::kMin) {
            return choose_rows(column, groups, order, [values](uint32_t row, uint32_t best) {
                return is_less(values[row], values[best]);
            });
        }
        return choose_rows(column, groups, order, [values](uint32_t row, uint32_t best) {
            return is_less(values[best], values[row]);
        });
    });
}

}  // namespace

Result<ValueAggregation> parse_value_aggregation(std::string_view name) {
    if (name.empty() || name == "REPLACE") {
        return ValueAggregation::kReplace;
    }
    if (name == "REPLACE_IF_NOT_NULL") {
        return ValueAggregation::kReplaceIfNotNull;
    }
    if (name == "SUM") {
        return ValueAggregation::kSum;
    }
    if (name == "MIN") {
        return ValueAggregation::kMin;
    }
    if (name == "MAX") {
        return ValueAggregation::kMax;
    }
    return Status::error(ErrorCode::kNotSupported, "The aggregation {} is not supported", name);
}

ColumnPtr aggregate_groups(
    const ColumnPtr& column,
    ValueAggregation aggregation,
    std::span<const uint32_t> groups,
    std::span<const uint32_t> order
) {
    if (aggregation == ValueAggregation::kSum && column->physical() != PhysicalType::kString) {
        return visit_physical(column->physical(), [&]<typename T>(T) -> ColumnPtr {
            if constexpr (std::is_same_v<T, StringRef>) {
                return nullptr;
            } else {
                return sum_groups<T>(*column, groups, order);
            }
        });
    }
    const std::vector<uint32_t> rows = rows_to_take(*column, aggregation, groups, order);
    return gather(column, rows.data(), static_cast<uint32_t>(rows.size()));
}

}  // namespace thetis
