// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thetis {

/// What a rowset remembers of one of its files.
struct SegmentFile {
    uint32_t id = 0;  ///< In the file name; gaps are legal.
    uint64_t num_rows = 0;
    uint64_t size_bytes = 0;
};

}  // namespace thetis
