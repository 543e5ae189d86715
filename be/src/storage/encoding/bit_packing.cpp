// SPDX-License-Identifier: Apache-2.0
#include "storage/encoding/bit_packing.h"

#include <algorithm>
#include <type_traits>

namespace thetis::bit_packing {

namespace {

/// Row i of a lane stands at bit i * width of the lane; word k of all lanes lie side by side.
template <typename Word>
void pack_lanes(const uint64_t* offsets, int width, Word* output) {
    constexpr uint32_t kBits = sizeof(Word) * 8;
    constexpr uint32_t kLanes = kBlockRows / kBits;
    for (uint32_t i = 0; i < kBits; ++i) {
        const uint32_t bit = i * static_cast<uint32_t>(width);
        const uint32_t shift = bit % kBits;
        Word* low = output + (bit / kBits) * kLanes;
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            low[lane] |= static_cast<Word>(offsets[i * kLanes + lane]) << shift;
        }
        if (shift + static_cast<uint32_t>(width) > kBits) {
            for (uint32_t lane = 0; lane < kLanes; ++lane) {
                low[kLanes + lane] |=
                    static_cast<Word>(offsets[i * kLanes + lane]) >> (kBits - shift);
            }
        }
    }
}

template <typename Word, typename T>
void unpack_lanes(const Word* input, int width, T base, T* values) {
    using Unsigned = std::make_unsigned_t<T>;
    constexpr uint32_t kBits = sizeof(Word) * 8;
    constexpr uint32_t kLanes = kBlockRows / kBits;
    const Word mask = width == static_cast<int>(kBits) ? ~Word{0} : (Word{1} << width) - 1;
    const auto start = static_cast<Unsigned>(base);
    for (uint32_t i = 0; i < kBits; ++i) {
        const uint32_t bit = i * static_cast<uint32_t>(width);
        const uint32_t shift = bit % kBits;
        const Word* __restrict low = input + (bit / kBits) * kLanes;
        T* __restrict target = values + i * kLanes;
        if (shift + static_cast<uint32_t>(width) <= kBits) {
            for (uint32_t lane = 0; lane < kLanes; ++lane) {
                target[lane] = static_cast<T>(static_cast<Unsigned>(
                    start + static_cast<Unsigned>((low[lane] >> shift) & mask)
                ));
            }
        } else {
            const uint32_t rest = kBits - shift;
            for (uint32_t lane = 0; lane < kLanes; ++lane) {
                const Word offset = ((low[lane] >> shift) | (low[kLanes + lane] << rest)) & mask;
                target[lane] =
                    static_cast<T>(static_cast<Unsigned>(start + static_cast<Unsigned>(offset)));
            }
        }
    }
}

template <typename Word>
uint64_t offset_at(const Word* input, int width, uint32_t i) {
    constexpr uint32_t kBits = sizeof(Word) * 8;
    constexpr uint32_t kLanes = kBlockRows / kBits;
    const Word mask = width == static_cast<int>(kBits) ? ~Word{0} : (Word{1} << width) - 1;
    const uint32_t bit = i / kLanes * static_cast<uint32_t>(width);
    const uint32_t shift = bit % kBits;
    const Word* low = input + (bit / kBits) * kLanes + i % kLanes;
    Word offset = *low >> shift;
    if (shift + static_cast<uint32_t>(width) > kBits) {
        offset |= low[kLanes] << (kBits - shift);
    }
    return offset & mask;
}

}  // namespace

uint64_t unpack_one(const uint8_t* input, int width, uint32_t i) {
    if (width == 0) {
        return 0;
    }
    return width <= 32 ? offset_at(reinterpret_cast<const uint32_t*>(input), width, i)
                       : offset_at(reinterpret_cast<const uint64_t*>(input), width, i);
}

void pack(const uint64_t* offsets, int width, uint8_t* output) {
    if (width == 0) {
        return;
    }
    if (width <= 32) {
        pack_lanes(offsets, width, reinterpret_cast<uint32_t*>(output));
    } else {
        pack_lanes(offsets, width, reinterpret_cast<uint64_t*>(output));
    }
}

template <typename T>
void unpack(const uint8_t* input, int width, T base, T* values) {
    if (width == 0) {
        std::fill_n(values, kBlockRows, base);
    } else if (width <= 32) {
        unpack_lanes(reinterpret_cast<const uint32_t*>(input), width, base, values);
    } else {
        unpack_lanes(reinterpret_cast<const uint64_t*>(input), width, base, values);
    }
}

template void unpack<int8_t>(const uint8_t*, int, int8_t, int8_t*);
template void unpack<uint8_t>(const uint8_t*, int, uint8_t, uint8_t*);
template void unpack<int16_t>(const uint8_t*, int, int16_t, int16_t*);
template void unpack<int32_t>(const uint8_t*, int, int32_t, int32_t*);
template void unpack<uint32_t>(const uint8_t*, int, uint32_t, uint32_t*);
template void unpack<int64_t>(const uint8_t*, int, int64_t, int64_t*);
template void unpack<uint64_t>(const uint8_t*, int, uint64_t, uint64_t*);

}  // namespace thetis::bit_packing
