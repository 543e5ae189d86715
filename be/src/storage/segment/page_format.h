// SPDX-License-Identifier: Apache-2.0
// The frame around every page of a segment file; docs/formats/segment.md draws it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "column/buffer.h"
#include "io/codec/codec.h"
#include "io/fs/file_system.h"

namespace thetis {

inline constexpr uint32_t kSegmentFormatVersion = 1;
inline constexpr uint64_t kSegmentMagic = 0x3147455354454854ULL;  // "THETSEG1" as bytes.
/// u32 footer bytes, u32 CRC32C of the footer, u64 magic.
inline constexpr size_t kSegmentTailBytes = 16;
/// Rows of a page, unless its strings are long.
inline constexpr uint32_t kPageRows = 16384;

enum class PageKind : uint8_t {
    kData = 1,
    kDictionaryCodes = 2,
    kDictionary = 3,
    kColumnIndex = 4,
    kShortKeys = 5,
    kBloomFilter = 6,
    kPrimaryKeys = 30,
    kPrimaryKeyPages = 31,
    kPrimaryKeyFilter = 32
};

/// Stands before the stored bytes of a page. Little-endian.
struct PageHeader {
    uint32_t checksum = 0;  ///< CRC32C of the rest of the header and the stored bytes.
    PageKind kind{};
    uint8_t encoding = 0;
    Compression compression{};
    uint8_t has_validity =
        0;  ///< The raw bytes begin with the validity bitmap, in whole 64-bit words.
    int32_t column_unique_id = 0;
    uint32_t page_number = 0;  ///< Within the column.
    uint32_t num_rows = 0;
    uint32_t stored_bytes = 0;
    uint32_t raw_bytes = 0;
    uint32_t zero = 0;
};

static_assert(sizeof(PageHeader) == 32);

/// Compresses `raw` where that saves at least a tenth and appends header and bytes to `output`;
/// fills in the rest of `header`.
Status append_page(
    PageHeader header,
    Compression compression,
    std::span<const uint8_t> raw,
    std::vector<uint8_t>& output
);

/// Reads a page and gives its raw bytes. Corruption, naming file and offset, unless checksum, sizes
/// and identity are right.
Result<BufferPtr> read_page_bytes(
    const RandomAccessFile& file,
    uint64_t offset,
    uint32_t size_bytes,
    PageKind kind,
    int32_t column_unique_id,
    uint32_t page_number,
    PageHeader& header
);

}  // namespace thetis
