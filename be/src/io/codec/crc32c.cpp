// SPDX-License-Identifier: Apache-2.0
#include "io/codec/crc32c.h"

#include <nmmintrin.h>

#include <array>
#include <cstring>

namespace thetis {

namespace {

constexpr size_t kLaneBytes = 1024;

// The CRC is linear: advancing a lane's CRC over kLaneBytes zero bytes equals a multiplication, done here by four tables.
std::array<std::array<uint32_t, 256>, 4> make_shift_tables() {
    std::array<std::array<uint32_t, 256>, 4> tables{};
    for (size_t byte = 0; byte < 4; ++byte) {
        for (uint32_t value = 0; value < 256; ++value) {
            uint64_t crc = value << (8 * byte);
            for (size_t i = 0; i < kLaneBytes / 8; ++i) {
                crc = _mm_crc32_u64(crc, 0);
            }
            tables[byte][value] = static_cast<uint32_t>(crc);
        }
    }
    return tables;
}

uint32_t shift_lane(uint32_t crc) {
    static const std::array<std::array<uint32_t, 256>, 4> tables = make_shift_tables();
    return tables[0][crc & 255] ^ tables[1][(crc >> 8) & 255] ^ tables[2][(crc >> 16) & 255] ^ tables[3][crc >> 24];
}

uint64_t load(const uint8_t* data) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    return word;
}

}  // namespace

uint32_t crc32c(uint32_t seed, const void* data, size_t size) {
    const auto* bytes = static_cast<const uint8_t*>(data);
    uint64_t crc = ~seed;

    // Three lanes at once hide the instruction's latency of three cycles.
    while (size >= 3 * kLaneBytes) {
        uint64_t second = 0;
        uint64_t third = 0;
        for (size_t i = 0; i < kLaneBytes; i += 8) {
            crc = _mm_crc32_u64(crc, load(bytes + i));
            second = _mm_crc32_u64(second, load(bytes + kLaneBytes + i));
            third = _mm_crc32_u64(third, load(bytes + 2 * kLaneBytes + i));
        }
        crc = shift_lane(static_cast<uint32_t>(crc)) ^ second;
        crc = shift_lane(static_cast<uint32_t>(crc)) ^ third;
        bytes += 3 * kLaneBytes;
        size -= 3 * kLaneBytes;
    }
    for (; size >= 8; bytes += 8, size -= 8) {
        crc = _mm_crc32_u64(crc, load(bytes));
    }
    for (; size > 0; ++bytes, --size) {
        crc = _mm_crc32_u8(static_cast<uint32_t>(crc), *bytes);
    }
    return ~static_cast<uint32_t>(crc);
}

}  // namespace thetis
