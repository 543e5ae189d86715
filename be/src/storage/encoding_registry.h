// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "column/column.h"

namespace thetis {

/// How the values of one page are coded. Numbers are on disk and never reused.
enum class EncodingId : uint8_t {
    kPlain = 1,         ///< Fixed-width values as in memory.
    kFrame = 2,         ///< Integers: per block of 1024 a base and bit-packed offsets.
    kPlainString = 3,   ///< Packed lengths, then all bytes.
    kDelta = 4,         ///< Integers: frames of differences.
    kRunLength = 5,     ///< Integers: runs of equal values.
    kByteSplit = 6,     ///< Floating point: one plane per byte.
    kDecimalFloat = 7,  ///< Doubles that are decimal fractions: a frame of integers.
};

/// A page body whose structure was checked when it was opened, so decoding cannot leave it.
/// Immutable, thread-safe.
class PageDecoder {
public:
    virtual ~PageDecoder() = default;

    /// Writes rows [first_row, first_row + num_rows) to `values`: the physical type's layout
    /// (strings: StringRefs into the page, which the caller keeps alive). Room for values up to the
    /// next multiple of 1024 rows is not needed.
    virtual void decode(uint32_t first_row, uint32_t num_rows, void* values) const = 0;

    /// Writes the rows `first_row + positions[i]`; positions ascend.
    virtual void gather(
        uint32_t first_row, const uint16_t* positions, uint32_t num_positions, void* values
    ) const = 0;
};

/// One way to code a page. A value of plain functions; encodings register theirs
/// (storage/encoding/<name>_encoding.cpp).
struct Encoding {
    EncodingId id{};
    std::string_view name;
    bool (*supports)(PhysicalType type) = nullptr;
    /// Appends the body for the rows of a flat column. Values under nulls are coded as they are.
    Status (*encode)(const Column& column, std::vector<uint8_t>& output) = nullptr;
    /// Checks `body` (8-byte aligned, 64 readable bytes past its end, outlives the decoder):
    /// corruption when anything in it could lead a decoder astray.
    Result<std::unique_ptr<PageDecoder>> (*open)(
        PhysicalType type, uint32_t num_rows, std::span<const uint8_t> body
    ) = nullptr;
};

/// All encodings by number. Filled once at start, read-only afterwards.
class EncodingRegistry {
public:
    void add(const Encoding& encoding) { encodings_[static_cast<size_t>(encoding.id)] = encoding; }

    /// Null for an unknown number or a type it cannot code.
    const Encoding* find(uint8_t id, PhysicalType type) const {
        const bool known = id < encodings_.size() && encodings_[id].supports != nullptr &&
                           encodings_[id].supports(type);
        return known ? &encodings_[id] : nullptr;
    }

    const Encoding& get(EncodingId id) const { return encodings_[static_cast<size_t>(id)]; }

    /// The built-in encodings.
    static const EncodingRegistry& built_in();

private:
    std::array<Encoding, 16> encodings_{};
};

}  // namespace thetis
