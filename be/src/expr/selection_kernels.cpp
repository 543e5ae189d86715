// SPDX-License-Identifier: Apache-2.0
#include "expr/selection_kernels.h"

#include <array>
#include <bit>
#include <cstring>

#include <immintrin.h>

#include "column/column.h"

namespace thetis {

namespace {

/// For each 8-bit mask the positions of its ones, as 16-bit numbers; the rest is unspecified and
/// overwritten later.
struct PositionTable {
    alignas(16) uint16_t positions[256][8];
};

constexpr PositionTable make_positions() {
    PositionTable table{};
    for (int mask = 0; mask < 256; ++mask) {
        int count = 0;
        for (uint16_t bit = 0; bit < 8; ++bit) {
            if ((mask >> bit & 1) != 0) {
                table.positions[mask][count++] = bit;
            }
        }
    }
    return table;
}

constexpr PositionTable kPositions = make_positions();

/// Writes the rows first_row + (ones of mask); returns the new end. Always stores 8 values.
inline uint16_t* store_positions(uint16_t* out, uint32_t first_row, uint32_t mask) {
    const __m128i base = _mm_set1_epi16(static_cast<int16_t>(first_row));
    const __m128i positions =
        _mm_load_si128(reinterpret_cast<const __m128i*>(kPositions.positions[mask]));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_add_epi16(positions, base));
    return out + std::popcount(mask);
}

template <PredicateOp kOp, typename T>
bool passes(const T& value, const T& constant) {
    if constexpr (std::is_floating_point_v<T>) {
        // NaN equals NaN and is the greatest value.
        const bool less = value < constant || (constant != constant && value == value);
        const bool greater = constant < value || (value != value && constant == constant);
        switch (kOp) {
            case PredicateOp::kEq:
                return !less && !greater;
            case PredicateOp::kNe:
                return less || greater;
            case PredicateOp::kLt:
                return less;
            case PredicateOp::kLe:
                return !greater;
            case PredicateOp::kGt:
                return greater;
            default:
                return !less;
        }
    } else {
        switch (kOp) {
            case PredicateOp::kEq:
                return value == constant;
            case PredicateOp::kNe:
                return !(value == constant);
            case PredicateOp::kLt:
                return value < constant;
            case PredicateOp::kLe:
                return !(constant < value);
            case PredicateOp::kGt:
                return constant < value;
            default:
                return !(value < constant);
        }
    }
}

/// A bit per value for 8 values at once: equality and greater-than by intrinsics, the other
/// operators from these.
inline uint32_t mask_equal(const int32_t* values, int32_t constant) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
    return static_cast<uint32_t>(
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(x, _mm256_set1_epi32(constant))))
    );
}

inline uint32_t mask_greater(const int32_t* values, int32_t constant) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
    return static_cast<uint32_t>(
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(x, _mm256_set1_epi32(constant))))
    );
}

inline uint32_t mask_less(const int32_t* values, int32_t constant) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
    return static_cast<uint32_t>(
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(constant), x)))
    );
}

template <typename Compare>
inline uint32_t mask_int64(const int64_t* values, Compare compare) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + 4));
    const int low_bits = _mm256_movemask_pd(_mm256_castsi256_pd(compare(low)));
    const int high_bits = _mm256_movemask_pd(_mm256_castsi256_pd(compare(high)));
    return static_cast<uint32_t>(low_bits | high_bits << 4);
}

inline uint32_t mask_equal(const int64_t* values, int64_t constant) {
    const __m256i c = _mm256_set1_epi64x(constant);
    return mask_int64(values, [c](__m256i x) { return _mm256_cmpeq_epi64(x, c); });
}

inline uint32_t mask_greater(const int64_t* values, int64_t constant) {
    const __m256i c = _mm256_set1_epi64x(constant);
    return mask_int64(values, [c](__m256i x) { return _mm256_cmpgt_epi64(x, c); });
}

inline uint32_t mask_less(const int64_t* values, int64_t constant) {
    const __m256i c = _mm256_set1_epi64x(constant);
    return mask_int64(values, [c](__m256i x) { return _mm256_cmpgt_epi64(c, x); });
}

template <PredicateOp kOp, typename T>
inline uint32_t mask_of_eight(const T* values, const T& constant) {
    if constexpr (std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>) {
        switch (kOp) {
            case PredicateOp::kEq:
                return mask_equal(values, constant);
            case PredicateOp::kNe:
                return mask_equal(values, constant) ^ 0xFF;
            case PredicateOp::kLt:
                return mask_less(values, constant);
            case PredicateOp::kLe:
                return mask_greater(values, constant) ^ 0xFF;
            case PredicateOp::kGt:
                return mask_greater(values, constant);
            default:
                return mask_less(values, constant) ^ 0xFF;
        }
    } else {
        uint32_t mask = 0;
        for (uint32_t i = 0; i < 8; ++i) {
            mask |= static_cast<uint32_t>(passes<kOp>(values[i], constant)) << i;
        }
        return mask;
    }
}

template <PredicateOp kOp, typename T>
uint32_t run_all(
    const T* values, const uint64_t* valid, uint32_t num_rows, const T& constant, uint16_t* out
) {
    uint16_t* next = out;
    const auto* valid_bytes = reinterpret_cast<const uint8_t*>(valid);
    uint32_t row = 0;
    for (; row + 8 <= num_rows; row += 8) {
        uint32_t mask = mask_of_eight<kOp>(values + row, constant);
        if (valid != nullptr) {
            mask &= valid_bytes[row / 8];
        }
        next = store_positions(next, row, mask);
    }
    for (; row < num_rows; ++row) {
        *next = static_cast<uint16_t>(row);
        next += passes<kOp>(values[row], constant) && validity::is_valid(valid, row) ? 1 : 0;
    }
    return static_cast<uint32_t>(next - out);
}

template <PredicateOp kOp, typename T>
uint32_t run_some(
    const T* values,
    const uint64_t* valid,
    const uint16_t* rows,
    uint32_t num_rows,
    const T& constant,
    uint16_t* out
) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < num_rows; ++i) {
        const uint16_t row = rows[i];
        out[count] = row;
        count += passes<kOp>(values[row], constant) && validity::is_valid(valid, row) ? 1 : 0;
    }
    return count;
}

/// Turns the operator into a template parameter.
template <typename Visitor>
uint32_t with_op(PredicateOp op, Visitor visitor) {
    switch (op) {
        case PredicateOp::kEq:
            return visitor(std::integral_constant<PredicateOp, PredicateOp::kEq>());
        case PredicateOp::kNe:
            return visitor(std::integral_constant<PredicateOp, PredicateOp::kNe>());
        case PredicateOp::kLt:
            return visitor(std::integral_constant<PredicateOp, PredicateOp::kLt>());
        case PredicateOp::kLe:
            return visitor(std::integral_constant<PredicateOp, PredicateOp::kLe>());
        case PredicateOp::kGt:
            return visitor(std::integral_constant<PredicateOp, PredicateOp::kGt>());
        default:
            return visitor(std::integral_constant<PredicateOp, PredicateOp::kGe>());
    }
}

}  // namespace

template <typename T>
uint32_t select_all(
    const T* values,
    const uint64_t* valid,
    uint32_t num_rows,
    PredicateOp op,
    T constant,
    uint16_t* out
) {
    return with_op(op, [&](auto tag) {
        return run_all<decltype(tag)::value>(values, valid, num_rows, constant, out);
    });
}

template <typename T>
uint32_t select_some(
    const T* values,
    const uint64_t* valid,
    const uint16_t* rows,
    uint32_t num_rows,
    PredicateOp op,
    T constant,
    uint16_t* out
) {
    return with_op(op, [&](auto tag) {
        return run_some<decltype(tag)::value>(values, valid, rows, num_rows, constant, out);
    });
}

uint32_t select_flags(
    const uint8_t* flags, const uint64_t* valid, uint32_t num_rows, uint16_t* out
) {
    uint16_t* next = out;
    const auto* valid_bytes = reinterpret_cast<const uint8_t*>(valid);
    uint32_t row = 0;
    for (; row + 32 <= num_rows; row += 32) {
        const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(flags + row));
        uint32_t mask =
            ~static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_setzero_si256())
            ));
        if (valid != nullptr) {
            uint32_t valid_mask;
            std::memcpy(&valid_mask, valid_bytes + row / 8, 4);
            mask &= valid_mask;
        }
        for (uint32_t part = 0; part < 4; ++part) {
            next = store_positions(next, row + part * 8, mask >> (part * 8) & 0xFF);
        }
    }
    for (; row < num_rows; ++row) {
        *next = static_cast<uint16_t>(row);
        next += flags[row] != 0 && validity::is_valid(valid, row) ? 1 : 0;
    }
    return static_cast<uint32_t>(next - out);
}

#define INSTANTIATE(T)                                                                            \
    template uint32_t select_all(const T*, const uint64_t*, uint32_t, PredicateOp, T, uint16_t*); \
    template uint32_t                                                                             \
    select_some(const T*, const uint64_t*, const uint16_t*, uint32_t, PredicateOp, T, uint16_t*);

INSTANTIATE(uint8_t)
INSTANTIATE(int8_t)
INSTANTIATE(int16_t)
INSTANTIATE(int32_t)
INSTANTIATE(int64_t)
INSTANTIATE(int128_t)
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(StringRef)

#undef INSTANTIATE

}  // namespace thetis
