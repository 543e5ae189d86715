// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"
#include "column/batch.h"

namespace thetis {

/// Appends the selected rows of a batch as MySQL row packets: 3-byte little-endian length, sequence
/// byte 0, payload. Rows of 16 MB and more are split into several packets, as the protocol says.
/// The text or binary form of every type is that of the MySQL protocol page of the contract.
///
///     text row:   per column 0xFB for NULL, else length-encoded text
///     binary row: 0x00 | NULL bits, offset 2 | values that are not NULL
void append_mysql_rows(const Batch& batch, bool binary, std::string& out);

/// Bytes of a packet's header.
inline constexpr size_t kPacketHeaderBytes = 4;

/// Bytes of a binary row before its values: a zero and the NULL bits.
constexpr size_t binary_row_prefix_bytes(size_t num_columns) {
    return 1 + (num_columns + 7 + 2) / 8;
}

/// Appends a row whose payload stands behind kPacketHeaderBytes of room for the header.
void append_mysql_packet(char* packet, size_t size_bytes, std::string& out);

}  // namespace thetis
