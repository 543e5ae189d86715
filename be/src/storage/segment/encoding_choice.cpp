// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/encoding_choice.h"

#include <algorithm>
#include <bit>

namespace thetis {

namespace {

constexpr uint32_t kBlockRows = 1024;
constexpr uint32_t kLanes = 32;
constexpr uint64_t kHeadBits = 24 * 8;

/// Differences must save this share of a frame: they cost a second pass when they are read.
constexpr double kMinDeltaGain = 0.8;
/// Runs too; and they must be this long on average.
constexpr double kMinRunGain = 0.5;
constexpr uint32_t kMinRunRows = 8;

template <typename T>
uint64_t width_of(T min, T max) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<uint64_t>(std::bit_width(static_cast<uint64_t>(
        static_cast<Unsigned>(static_cast<Unsigned>(max) - static_cast<Unsigned>(min))
    )));
}

template <typename T>
T difference(T left, T right) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(
        static_cast<Unsigned>(static_cast<Unsigned>(left) - static_cast<Unsigned>(right))
    );
}

template <typename T>
EncodingId choose(const T* values, uint32_t num_rows) {
    uint64_t frame_bits = 0;
    uint64_t delta_bits = 0;
    uint32_t num_runs = 1;
    T min_of_all = values[0];
    T max_of_all = values[0];
    for (uint32_t begin = 0; begin < num_rows; begin += kBlockRows) {
        const uint32_t end = std::min(begin + kBlockRows, num_rows);
        T min = values[begin];
        T max = values[begin];
        for (uint32_t row = begin; row < end; ++row) {
            min = std::min(min, values[row]);
            max = std::max(max, values[row]);
        }
        frame_bits += kHeadBits + width_of(min, max) * kBlockRows;
        const uint32_t first = begin + kLanes;
        T min_step = first < end ? difference(values[first], values[begin]) : T{0};
        T max_step = min_step;
        for (uint32_t row = first; row < end; ++row) {
            const T step = difference(values[row], values[row - kLanes]);
            min_step = std::min(min_step, step);
            max_step = std::max(max_step, step);
        }
        delta_bits += kHeadBits + width_of(min_step, max_step) * kBlockRows;
        min_of_all = std::min(min_of_all, min);
        max_of_all = std::max(max_of_all, max);
    }
    for (uint32_t row = 1; row < num_rows; ++row) {
        num_runs += values[row] != values[row - 1] ? 1 : 0;
    }
    const uint64_t num_blocks = (num_rows + kBlockRows - 1) / kBlockRows;
    delta_bits += num_blocks * kLanes * width_of(min_of_all, max_of_all) + kHeadBits;
    const uint64_t run_bits = num_runs * (width_of(min_of_all, max_of_all) +
                                          static_cast<uint64_t>(std::bit_width(num_rows))) +
                              2 * kHeadBits;
    const auto limit = [&](double gain) { return static_cast<double>(frame_bits) * gain; };
    if (num_rows >= num_runs * kMinRunRows && static_cast<double>(run_bits) < limit(kMinRunGain)) {
        return EncodingId::kRunLength;
    }
    if (sizeof(T) > 1 && static_cast<double>(delta_bits) < limit(kMinDeltaGain)) {
        return EncodingId::kDelta;
    }
    return EncodingId::kFrame;
}

}  // namespace

EncodingId choose_integer_encoding(const Column& column) {
    EncodingId chosen = EncodingId::kFrame;
    if (column.size() == 0) {
        return chosen;
    }
    visit_physical(column.physical(), [&]<typename T>(T) {
        if constexpr (std::is_integral_v<T>) {
            chosen = choose(column.values<T>(), column.size());
        }
    });
    return chosen;
}

Status encode_real(
    const Column& column,
    Compression compression,
    EncodingId& previous,
    std::vector<uint8_t>& output
) {
    const EncodingRegistry& encodings = EncodingRegistry::built_in();
    const size_t begin = output.size();
    const bool may_be_decimal =
        column.physical() == PhysicalType::kDouble && previous == EncodingId::kDecimalFloat;
    if (may_be_decimal && encodings.get(EncodingId::kDecimalFloat).encode(column, output).ok()) {
        return {};
    }
    output.resize(begin);
    if (previous != EncodingId::kPlain && previous != EncodingId::kByteSplit) {
        // The first page that is no decimal decides for the rest.
        previous = EncodingId::kPlain;
        size_t best = SIZE_MAX;
        for (const EncodingId id : {EncodingId::kPlain, EncodingId::kByteSplit}) {
            std::vector<uint8_t> body;
            std::vector<uint8_t> compressed;
            RETURN_IF_ERROR(encodings.get(id).encode(column, body));
            if (compression != Compression::kNone) {
                RETURN_IF_ERROR(compress(compression, body, compressed));
            }
            const size_t size =
                compressed.empty() ? body.size() : std::min(body.size(), compressed.size());
            if (size < best) {
                best = size;
                previous = id;
            }
        }
    }
    return encodings.get(previous).encode(column, output);
}

}  // namespace thetis
