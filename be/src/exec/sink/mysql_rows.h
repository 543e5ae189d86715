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

}  // namespace thetis
