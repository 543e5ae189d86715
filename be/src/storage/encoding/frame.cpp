// SPDX-License-Identifier: Apache-2.0
#include "storage/encoding/frame.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "storage/encoding/bit_packing.h"

namespace thetis::frame {

namespace {

using bit_packing::kBlockRows;

constexpr uint8_t kRawWidth = 255;

struct BlockHead {
    int64_t low;
    int64_t high;
    uint32_t offset;
    uint8_t width;
    uint8_t zero[3];
};

static_assert(sizeof(BlockHead) == 24);

uint32_t num_blocks(uint32_t num_values) {
    return (num_values + kBlockRows - 1) / kBlockRows;
}

BlockHead read_head(const uint8_t* body, uint32_t block) {
    BlockHead head;
    std::memcpy(&head, body + block * sizeof(BlockHead), sizeof(head));
    return head;
}

void write_head(std::vector<uint8_t>& output, size_t begin, uint32_t block, const BlockHead& head) {
    std::memcpy(output.data() + begin + block * sizeof(BlockHead), &head, sizeof(head));
}

template <typename T>
void split_base(T base, BlockHead& head) {
    head.low = static_cast<int64_t>(base);
    if constexpr (sizeof(T) == 16) {
        head.high = static_cast<int64_t>(base >> 64);
    } else {
        head.high = head.low < 0 ? -1 : 0;
    }
}

template <typename T>
T join_base(const BlockHead& head) {
    if constexpr (sizeof(T) == 16) {
        const auto high = static_cast<unsigned __int128>(static_cast<uint64_t>(head.high)) << 64;
        return static_cast<T>(high | static_cast<uint64_t>(head.low));
    } else {
        return static_cast<T>(head.low);
    }
}

/// Bits of the largest offset, or 128 when it does not fit 64.
template <typename T>
int offset_width(T min, T max) {
    if constexpr (sizeof(T) == 16) {
        const auto range =
            static_cast<unsigned __int128>(max) - static_cast<unsigned __int128>(min);
        return (range >> 64) != 0 ? 128 : std::bit_width(static_cast<uint64_t>(range));
    } else {
        return std::bit_width(static_cast<uint64_t>(max) - static_cast<uint64_t>(min));
    }
}

template <typename T>
void encode_block(
    const T* values, uint32_t num_values, BlockHead& head, std::vector<uint8_t>& output
) {
    const auto [min, max] = std::minmax_element(values, values + num_values);
    const T base = *min;
    const int width = offset_width(base, *max);
    const size_t raw_bytes = num_values * sizeof(T);
    const size_t begin = output.size();
    if (width > 64 || raw_bytes < bit_packing::packed_bytes(width)) {
        head.width = kRawWidth;
        output.resize(begin + (raw_bytes + 7) / 8 * 8);
        std::memcpy(output.data() + begin, values, raw_bytes);
        return;
    }
    head.width = static_cast<uint8_t>(width);
    split_base(base, head);
    uint64_t offsets[kBlockRows];
    for (uint32_t i = 0; i < num_values; ++i) {
        if constexpr (sizeof(T) == 16) {
            offsets[i] = static_cast<uint64_t>(
                static_cast<unsigned __int128>(values[i]) - static_cast<unsigned __int128>(base)
            );
        } else {
            offsets[i] = static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(base);
        }
    }
    std::fill(offsets + num_values, offsets + kBlockRows, 0);
    output.resize(begin + bit_packing::packed_bytes(width));
    alignas(64) uint8_t packed[bit_packing::packed_bytes(64)] = {};
    bit_packing::pack(offsets, width, packed);
    std::memcpy(output.data() + begin, packed, bit_packing::packed_bytes(width));
}

}  // namespace

template <typename T>
void encode(const T* values, uint32_t num_values, std::vector<uint8_t>& output) {
    const size_t begin = output.size();
    const uint32_t blocks = num_blocks(num_values);
    output.resize(begin + blocks * sizeof(BlockHead));
    for (uint32_t block = 0; block < blocks; ++block) {
        BlockHead head{};
        head.offset = static_cast<uint32_t>(output.size() - begin);
        const uint32_t first = block * kBlockRows;
        encode_block(values + first, std::min(kBlockRows, num_values - first), head, output);
        write_head(output, begin, block, head);
    }
}

template <typename T>
Result<Reader<T>> Reader<T>::open(uint32_t num_values, std::span<const uint8_t> body) {
    const uint32_t blocks = num_blocks(num_values);
    size_t end = blocks * sizeof(BlockHead);
    if (body.size() < end) {
        return Status::error(
            ErrorCode::kCorruption, "{} bytes cannot hold {} block heads", body.size(), blocks
        );
    }
    Reader reader;
    reader.body_ = body.data();
    reader.num_values_ = num_values;
    for (uint32_t block = 0; block < blocks; ++block) {
        const BlockHead head = read_head(body.data(), block);
        const size_t bytes = head.width == kRawWidth
                                 ? (reader.block_rows(block) * sizeof(T) + 7) / 8 * 8
                                 : bit_packing::packed_bytes(head.width);
        const bool width_is_valid =
            head.width == kRawWidth || head.width <= std::min<size_t>(sizeof(T) * 8, 64);
        if (!width_is_valid || head.offset != end || body.size() - end < bytes) {
            return Status::error(
                ErrorCode::kCorruption,
                "Block {} of width {} at {} does not fit a body of {} bytes",
                block,
                head.width,
                head.offset,
                body.size()
            );
        }
        end += bytes;
    }
    reader.encoded_bytes_ = end;
    return reader;
}

template <typename T>
uint32_t Reader<T>::block_rows(uint32_t block) const {
    return std::min(kBlockRows, num_values_ - block * kBlockRows);
}

template <typename T>
void Reader<T>::decode_block(uint32_t block, T* values) const {
    const BlockHead head = read_head(body_, block);
    const uint8_t* data = body_ + head.offset;
    if (head.width == kRawWidth) {
        std::memcpy(values, data, block_rows(block) * sizeof(T));
        return;
    }
    if constexpr (sizeof(T) == 16) {
        uint64_t offsets[kBlockRows];
        bit_packing::unpack<uint64_t>(data, head.width, 0, offsets);
        const auto base = static_cast<unsigned __int128>(join_base<T>(head));
        for (uint32_t i = 0; i < kBlockRows; ++i) {
            values[i] = static_cast<T>(base + offsets[i]);
        }
    } else {
        bit_packing::unpack<T>(data, head.width, join_base<T>(head), values);
    }
}

template <typename T>
T Reader<T>::at(uint32_t i) const {
    const BlockHead head = read_head(body_, i / kBlockRows);
    const uint8_t* data = body_ + head.offset;
    if (head.width == kRawWidth) {
        T value;
        std::memcpy(&value, data + i % kBlockRows * sizeof(T), sizeof(T));
        return value;
    }
    // Wrapping around is part of the form.
    using Wide = std::conditional_t<sizeof(T) == 16, unsigned __int128, uint64_t>;
    const uint64_t offset = bit_packing::unpack_one(data, head.width, i % kBlockRows);
    return static_cast<T>(static_cast<Wide>(join_base<T>(head)) + offset);
}

template <typename T>
void Reader<T>::decode(uint32_t first, uint32_t num_values, T* values) const {
    T block_values[kBlockRows];
    while (num_values > 0) {
        const uint32_t block = first / kBlockRows;
        const uint32_t skip = first % kBlockRows;
        const uint32_t count = std::min(kBlockRows - skip, num_values);
        if (count == kBlockRows) {
            decode_block(block, values);
        } else {
            decode_block(block, block_values);
            std::memcpy(values, block_values + skip, count * sizeof(T));
        }
        first += count;
        values += count;
        num_values -= count;
    }
}

template <typename T>
void Reader<T>::gather(uint32_t first, const uint16_t* positions, uint32_t num_positions, T* values)
    const {
    if (num_positions == 1) {
        values[0] = at(first + positions[0]);
        return;
    }
    T block_values[kBlockRows];
    for (uint32_t i = 0; i < num_positions;) {
        const uint32_t block = (first + positions[i]) / kBlockRows;
        decode_block(block, block_values);
        const uint32_t begin = block * kBlockRows;
        for (; i < num_positions && first + positions[i] - begin < kBlockRows; ++i) {
            values[i] = block_values[first + positions[i] - begin];
        }
    }
}

#define THETIS_INSTANTIATE_FRAME(T)                                     \
    template void encode<T>(const T*, uint32_t, std::vector<uint8_t>&); \
    template class Reader<T>;
THETIS_INSTANTIATE_FRAME(uint8_t)
THETIS_INSTANTIATE_FRAME(int8_t)
THETIS_INSTANTIATE_FRAME(int16_t)
THETIS_INSTANTIATE_FRAME(int32_t)
THETIS_INSTANTIATE_FRAME(uint32_t)
THETIS_INSTANTIATE_FRAME(int64_t)
THETIS_INSTANTIATE_FRAME(int128_t)
#undef THETIS_INSTANTIATE_FRAME

}  // namespace thetis::frame
