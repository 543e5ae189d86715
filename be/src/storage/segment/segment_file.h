// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace thetis {

/// What a rowset remembers of one of its files.
struct SegmentFile {
    uint32_t id = 0;  ///< In the file name; gaps are legal.
    uint64_t num_rows = 0;
    uint64_t size_bytes = 0;
    /// Of sorted segments: encoded keys (make_key_encoder) that no row is below or above.
    std::string min_key{};
    std::string max_key{};
};

}  // namespace thetis
