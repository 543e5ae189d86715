// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "column/batch.h"

namespace thetis {

/// Bytes of a batch for exchange and tablet writers. Self-describing: row count, then per column
/// type, form, validity, values. Only selected rows are written. Integers travel at the narrowest
/// width that holds them (offset from the minimum); dictionary and constant columns keep their
/// form.
///
///     u32 magic | u8 compression (0 none, 1 LZ4) | u32 raw bytes | body
void encode_batch(const Batch& batch, bool compress, std::string& out);

/// Reads what encode_batch wrote; any other bytes give a corruption status, never a crash or a huge
/// allocation.
Result<Batch> decode_batch(std::string_view bytes);

}  // namespace thetis
