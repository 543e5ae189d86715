// SPDX-License-Identifier: Apache-2.0
#include "storage/memtable/row_groups.h"

namespace thetis {

namespace {

template <typename T>
bool equal_keys(const T& left, const T& right) {
    if constexpr (std::is_floating_point_v<T>) {
        return left == right || (left != left && right != right);
    } else {
        return left == right;
    }
}

/// Clears `same[i]` where row i differs from the one before.
template <typename T>
void compare_neighbours(
    const Column& column, std::span<const uint32_t> order, std::vector<uint8_t>& same
) {
    const T* values = column.values<T>();
    const uint64_t* valid = column.valid_words();
    uint32_t before = order.empty() ? 0 : order[0];
    for (uint32_t i = 1; i < same.size(); ++i) {
        const uint32_t row = order.empty() ? i : order[i];
        if (same[i] != 0) {
            // Values under nulls are zero or empty, so nulls of both rows compare equal.
            const bool is_equal =
                equal_keys(values[row], values[before]) &&
                validity::is_valid(valid, row) == validity::is_valid(valid, before);
            same[i] = is_equal ? 1 : 0;
        }
        before = row;
    }
}

}  // namespace

std::vector<uint32_t> find_groups(
    std::span<const ColumnPtr> keys, std::span<const uint32_t> order, uint32_t num_rows
) {
    std::vector<uint8_t> same(num_rows, 1);
    for (const ColumnPtr& key : keys) {
        visit_physical(key->physical(), [&]<typename T>(T) {
            compare_neighbours<T>(*key, order, same);
        });
    }
    std::vector<uint32_t> groups;
    for (uint32_t i = 0; i < num_rows; ++i) {
        if (i == 0 || same[i] == 0) {
            groups.push_back(i);
        }
    }
    groups.push_back(num_rows);
    return groups;
}

std::vector<uint32_t> last_of_groups(
    std::span<const uint32_t> groups, std::span<const uint32_t> order
) {
    std::vector<uint32_t> rows(groups.size() - 1);
    for (size_t i = 0; i < rows.size(); ++i) {
        const uint32_t last = groups[i + 1] - 1;
        rows[i] = order.empty() ? last : order[last];
    }
    return rows;
}

std::vector<uint32_t> largest_of_groups(
    std::span<const uint32_t> groups, std::span<const uint32_t> order, const Column& sequence
) {
    std::vector<uint32_t> rows(groups.size() - 1);
    visit_physical(sequence.physical(), [&]<typename T>(T) {
        const T* values = sequence.values<T>();
        const uint64_t* valid = sequence.valid_words();
        for (size_t i = 0; i < rows.size(); ++i) {
            uint32_t best = order.empty() ? groups[i] : order[groups[i]];
            for (uint32_t k = groups[i] + 1; k < groups[i + 1]; ++k) {
                const uint32_t row = order.empty() ? k : order[k];
                const bool is_null = !validity::is_valid(valid, row);
                const bool best_is_null = !validity::is_valid(valid, best);
                if (is_null ? best_is_null : best_is_null || !(values[row] < values[best])) {
                    best = row;
                }
            }
            rows[i] = best;
        }
    });
    return rows;
}

}  // namespace thetis
