// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace thetis {

namespace pattern_sort_detail {

inline constexpr ptrdiff_t kInsertionLimit = 24;
inline constexpr ptrdiff_t kNintherLimit = 128;
/// An attempt to finish by insertion moves at most so many elements.
inline constexpr ptrdiff_t kMaxMoves = 8;

template <typename T>
void insertion_sort(T* begin, T* end) {
    for (T* at = begin; at < end; ++at) {
        T value = *at;
        T* hole = at;
        for (; hole > begin && value < hole[-1]; --hole) {
            *hole = hole[-1];
        }
        *hole = value;
    }
}

/// Sorts what is nearly sorted; false, leaving a permutation, when it is not.
template <typename T>
bool finish_by_insertion(T* begin, T* end) {
    ptrdiff_t moves = 0;
    for (T* at = begin; at < end; ++at) {
        T value = *at;
        T* hole = at;
        for (; hole > begin && value < hole[-1]; --hole) {
            *hole = hole[-1];
        }
        *hole = value;
        moves += at - hole;
        if (moves > kMaxMoves) {
            return false;
        }
    }
    return true;
}

template <typename T>
void sort_three(T& a, T& b, T& c) {
    if (b < a) {
        std::swap(a, b);
    }
    if (c < b) {
        std::swap(b, c);
        if (b < a) {
            std::swap(a, b);
        }
    }
}

/// Puts a good pivot first.
template <typename T>
void choose_pivot(T* begin, T* end) {
    const ptrdiff_t size = end - begin;
    T* middle = begin + size / 2;
    if (size > kNintherLimit) {
        sort_three(begin[0], *middle, end[-1]);
        sort_three(begin[1], middle[-1], end[-2]);
        sort_three(begin[2], middle[1], end[-3]);
        sort_three(middle[-1], *middle, middle[1]);
        std::swap(*begin, *middle);
    } else {
        sort_three(*middle, *begin, end[-1]);
    }
}

/// Elements below the pivot (the first) go left. Gives where the pivot ends, and whether nothing
/// had to move.
template <typename T>
std::pair<T*, bool> partition(T* begin, T* end) {
    const T pivot = *begin;
    T* left = begin + 1;
    T* right = end;
    while (left < right && *left < pivot) {
        ++left;
    }
    while (left < right && !(right[-1] < pivot)) {
        --right;
    }
    const bool was_partitioned = left >= right;
    // Without a branch on the comparison: the next element goes to the border, what stood there to
    // its place, and the border moves on if the element belongs to the left.
    for (T* at = left; at < right; ++at) {
        const T value = *at;
        *at = *left;
        *left = value;
        left += value < pivot ? 1 : 0;
    }
    T* place = left - 1;
    *begin = *place;
    *place = pivot;
    return {place, was_partitioned};
}

/// Breaks patterns that made a partition lopsided.
template <typename T>
void scatter(T* begin, T* end) {
    const ptrdiff_t size = end - begin;
    if (size >= kInsertionLimit) {
        std::swap(begin[0], begin[size / 4]);
        std::swap(end[-1], end[-size / 4]);
        std::swap(begin[1], begin[size / 4 + 1]);
        std::swap(end[-2], end[-size / 4 - 1]);
    }
}

template <typename T>
void sort(T* begin, T* end, int bad_allowed) {
    while (end - begin >= kInsertionLimit) {
        choose_pivot(begin, end);
        const auto [place, was_partitioned] = partition(begin, end);
        const ptrdiff_t left = place - begin;
        const ptrdiff_t right = end - place - 1;
        if (std::min(left, right) < (end - begin) / 8) {
            if (--bad_allowed == 0) {
                std::make_heap(begin, end);
                std::sort_heap(begin, end);
                return;
            }
            scatter(begin, place);
            scatter(place + 1, end);
        } else if (was_partitioned && finish_by_insertion(begin, place) &&
                   finish_by_insertion(place + 1, end)) {
            return;
        }
        // The smaller side first, so that the stack stays flat.
        if (left < right) {
            sort(begin, place, bad_allowed);
            begin = place + 1;
        } else {
            sort(place + 1, end, bad_allowed);
            end = place;
        }
    }
    insertion_sort(begin, end);
}

}  // namespace pattern_sort_detail

/// Sorts plain values with a total order and no equals: quicksort that notices input in order and
/// nearly in order, breaks up patterns that defeat its pivots, and ends as heapsort rather than
/// take quadratic time (after O. Peters, "Pattern-defeating Quicksort", 2021).
template <typename T>
void pattern_sort(T* begin, T* end) {
    pattern_sort_detail::sort(
        begin, end, static_cast<int>(std::bit_width(static_cast<size_t>(end - begin) + 1))
    );
}

}  // namespace thetis
