// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "types/data_type.h"

namespace thetis {

/// Integers in blocks of 1024: a base and bit-packed offsets from it, or the values as they are
/// where that is shorter.
///
///   block heads: num_blocks * { i64 low, i64 high (sign of low unless 128-bit), u32 offset of the
///   data in the body,
///                               u8 width (0..64, 255: values as they are), 3 bytes zero }
///   block data:  each 8-byte aligned; the last block is padded to 1024 offsets unless its values
///   are stored as they are
namespace frame {

/// Appends the body for `num_values` values of T: uint8_t, int8_t .. int64_t, int128_t, uint32_t.
template <typename T>
void encode(const T* values, uint32_t num_values, std::vector<uint8_t>& output);

/// Random access to an encoded body. Holds pointers into it.
template <typename T>
class Reader {
public:
    /// Corruption unless every block's data lies inside the body.
    static Result<Reader> open(uint32_t num_values, std::span<const uint8_t> body);

    uint32_t num_values() const { return num_values_; }

    void decode(uint32_t first, uint32_t num_values, T* values) const;
    /// values[i] = value at first + positions[i]; positions ascend.
    void gather(uint32_t first, const uint16_t* positions, uint32_t num_positions, T* values) const;

    /// Bytes of the body the encoding takes; what follows belongs to others.
    size_t encoded_bytes() const { return encoded_bytes_; }

private:
    T at(uint32_t i) const;
    void decode_block(uint32_t block, T* values) const;
    uint32_t block_rows(uint32_t block) const;

    const uint8_t* body_ = nullptr;
    uint32_t num_values_ = 0;
    size_t encoded_bytes_ = 0;
};

}  // namespace frame
}  // namespace thetis
