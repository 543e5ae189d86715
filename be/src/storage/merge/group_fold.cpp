// SPDX-License-Identifier: Apache-2.0
#include "storage/merge/group_fold.h"

#include <type_traits>

#include "column/builder.h"

namespace thetis {

namespace {

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
        return static_cast<T>(
            static_cast<Unsigned>(static_cast<Unsigned>(left) + static_cast<Unsigned>(right))
        );
    }
}

template <typename T>
ColumnPtr sum_groups(
    const ColumnPtr& column, std::span<const uint32_t> positions, std::span<const RowGroup> groups
) {
    const ColumnView<T> view(*column);
    ColumnBuilder builder(column->type(), static_cast<uint32_t>(groups.size()));
    T* sums = builder.append_uninitialized<T>(static_cast<uint32_t>(groups.size()));
    for (size_t i = 0; i < groups.size(); ++i) {
        T sum{};
        bool has_value = false;
        for (uint32_t k = groups[i].begin; k < groups[i].end; ++k) {
            if (view.is_valid(positions[k])) {
                sum = add(sum, view[positions[k]]);
                has_value = true;
            }
        }
        sums[i] = sum;
        if (!has_value) {
            builder.set_null(static_cast<uint32_t>(i));
        }
    }
    return builder.finish();
}

/// NaN is the greatest value, as everywhere.
template <typename T>
bool is_less(const T& left, const T& right) {
    if constexpr (std::is_floating_point_v<T>) {
        return left < right || (right != right && left == left);
    } else {
        return left < right;
    }
}

template <typename T>
uint32_t choose(
    ValueFold fold,
    const ColumnView<T>& view,
    std::span<const uint32_t> positions,
    const RowGroup& group
) {
    uint32_t chosen = positions[group.end - 1];
    bool has_value = false;
    for (uint32_t k = group.end; k > group.begin; --k) {
        const uint32_t position = positions[k - 1];
        if (!view.is_valid(position)) {
            continue;
        }
        const bool is_better = !has_value ||
                               (fold == ValueFold::kMin && is_less(view[position], view[chosen])) ||
                               (fold == ValueFold::kMax && is_less(view[chosen], view[position]));
        chosen = is_better ? position : chosen;
        has_value = true;
        if (fold == ValueFold::kReplaceIfNotNull) {
            break;
        }
    }
    return chosen;
}

}  // namespace

Result<ValueFold> parse_fold(std::string_view aggregation) {
    if (aggregation.empty() || aggregation == "REPLACE") {
        return ValueFold::kReplace;
    }
    if (aggregation == "REPLACE_IF_NOT_NULL") {
        return ValueFold::kReplaceIfNotNull;
    }
    if (aggregation == "SUM") {
        return ValueFold::kSum;
    }
    if (aggregation == "MIN") {
        return ValueFold::kMin;
    }
    if (aggregation == "MAX") {
        return ValueFold::kMax;
    }
    return Status::error(
        ErrorCode::kNotSupported, "Aggregation {} of a column is not supported", aggregation
    );
}

ColumnPtr fold_groups(
    ValueFold fold,
    const ColumnPtr& column,
    std::span<const uint32_t> positions,
    std::span<const RowGroup> groups
) {
    return visit_physical(column->physical(), [&]<typename T>(T) -> ColumnPtr {
        if constexpr (!std::is_same_v<T, StringRef>) {
            if (fold == ValueFold::kSum) {
                return sum_groups<T>(column, positions, groups);
            }
        }
        std::vector<uint32_t> chosen(groups.size());
        const ColumnView<T> view(*column);
        for (size_t i = 0; i < groups.size(); ++i) {
            chosen[i] = fold == ValueFold::kReplace ? positions[groups[i].end - 1]
                                                    : choose(fold, view, positions, groups[i]);
        }
        return gather(column, chosen.data(), static_cast<uint32_t>(chosen.size()));
    });
}

}  // namespace thetis
