// SPDX-License-Identifier: Apache-2.0
#include "storage/memtable/row_sort.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "storage/memtable/pattern_sort.h"

namespace thetis {

namespace {

struct Entry {
    uint64_t key;
    uint32_t row;

    bool operator<(const Entry& other) const { return joined() < other.joined(); }

    /// One comparison of two words instead of a branch between two.
    unsigned __int128 joined() const { return static_cast<unsigned __int128>(key) << 64 | row; }
};

/// Orders like the value as far as 64 bits go.
template <typename T>
uint64_t normalize(const T& value) {
    if constexpr (std::is_same_v<T, StringRef>) {
        uint64_t word = 0;
        std::memcpy(&word, value.data(), std::min<uint32_t>(value.size(), 8));
        return __builtin_bswap64(word);
    } else if constexpr (std::is_floating_point_v<T>) {
        const auto bits =
            std::bit_cast<std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>(value + T{0});
        constexpr auto kSign = std::bit_cast<decltype(bits)>(T{-0.0});
        return value != value ? UINT64_MAX
                              : static_cast<uint64_t>((bits & kSign) != 0 ? ~bits : bits | kSign);
    } else if constexpr (sizeof(T) == 16) {
        return static_cast<uint64_t>(value >> 64) ^ (uint64_t{1} << 63);
    } else if constexpr (std::is_unsigned_v<T>) {
        return value;
    } else {
        return static_cast<uint64_t>(static_cast<int64_t>(value)) ^ (uint64_t{1} << 63);
    }
}

/// Whether equal normalised keys mean equal values.
template <typename T>
inline constexpr bool kIsExact = !std::is_same_v<T, StringRef> && sizeof(T) <= 8;

class RowSorter {
public:
    RowSorter(std::span<const ColumnPtr> keys, std::vector<uint32_t>& rows)
        : keys_(keys), rows_(rows) {}

    void sort(size_t begin, size_t end, size_t column) {
        if (end - begin < 2 || column == keys_.size()) {
            return;
        }
        // Nulls first, both groups in their order.
        const uint64_t* valid = keys_[column]->valid_words();
        size_t values_begin = begin;
        if (valid != nullptr) {
            std::vector<uint32_t> present;
            for (size_t i = begin; i < end; ++i) {
                if (validity::is_valid(valid, rows_[i])) {
                    present.push_back(rows_[i]);
                } else {
                    rows_[values_begin++] = rows_[i];
                }
            }
            std::copy(
                present.begin(), present.end(), rows_.begin() + static_cast<ptrdiff_t>(values_begin)
            );
            sort(begin, values_begin, column + 1);
        }
        visit_physical(keys_[column]->physical(), [&]<typename T>(T) {
            sort_values<T>(values_begin, end, column);
        });
    }

private:
    template <typename T>
    void sort_values(size_t begin, size_t end, size_t column) {
        const T* values = keys_[column]->values<T>();
        std::vector<Entry> entries(end - begin);
        bool in_order = true;
        for (size_t i = 0; i < entries.size(); ++i) {
            const uint32_t row = rows_[begin + i];
            entries[i] = {normalize(values[row]), row};
            in_order = in_order && (i == 0 || entries[i - 1].key <= entries[i].key);
        }
        if (!in_order) {
            pattern_sort(entries.data(), entries.data() + entries.size());
        }
        for (size_t i = 0; i < entries.size();) {
            size_t run_end = i + 1;
            while (run_end < entries.size() && entries[run_end].key == entries[i].key) {
                ++run_end;
            }
            finish_run<T>(values, entries, i, run_end, begin, column);
            i = run_end;
        }
    }

    /// A run of equal normalised keys: in full order by this column, then by the next.
    template <typename T>
    void finish_run(
        const T* values,
        std::vector<Entry>& entries,
        size_t first,
        size_t last,
        size_t begin,
        size_t column
    ) {
        if constexpr (!kIsExact<T>) {
            std::sort(
                entries.begin() + static_cast<ptrdiff_t>(first),
                entries.begin() + static_cast<ptrdiff_t>(last),
                [values](const Entry& a, const Entry& b) {
                    if (values[a.row] < values[b.row]) {
                        return true;
                    }
                    return !(values[b.row] < values[a.row]) && a.row < b.row;
                }
            );
        }
        for (size_t i = first; i < last; ++i) {
            rows_[begin + i] = entries[i].row;
        }
        if constexpr (kIsExact<T>) {
            sort(begin + first, begin + last, column + 1);
        } else {
            for (size_t i = first; i < last;) {
                size_t run_end = i + 1;
                while (run_end < last && values[entries[run_end].row] == values[entries[i].row]) {
                    ++run_end;
                }
                sort(begin + i, begin + run_end, column + 1);
                i = run_end;
            }
        }
    }

    const std::span<const ColumnPtr> keys_;
    std::vector<uint32_t>& rows_;
};

}  // namespace

std::vector<uint32_t> sort_rows(std::span<const ColumnPtr> keys, uint32_t num_rows) {
    std::vector<uint32_t> rows(num_rows);
    std::iota(rows.begin(), rows.end(), 0);
    if (keys.empty()) {
        return {};
    }
    RowSorter(keys, rows).sort(0, num_rows, 0);
    for (uint32_t i = 0; i < num_rows; ++i) {
        if (rows[i] != i) {
            return rows;
        }
    }
    return {};
}

}  // namespace thetis
