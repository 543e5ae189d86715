// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "column/batch.h"

namespace thetis {

/// CRC32C over the distribution columns of each of the first `num_rows` rows, as data is placed
/// into buckets: little-endian bytes at physical width, strings as they are, NULL as four zero
/// bytes. The bucket is hash % buckets. Never changes.
void bucket_hash(std::span<const ColumnPtr> columns, uint32_t num_rows, uint32_t* hashes);

}  // namespace thetis
