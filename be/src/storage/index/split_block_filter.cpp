// SPDX-License-Identifier: Apache-2.0
#include "storage/index/split_block_filter.h"

#include <cmath>
#include <cstring>

#include <xxhash.h>

namespace thetis {

namespace {

constexpr double kMinRate = 1e-6;
constexpr double kMaxRate = 0.5;
/// Blocks fill unevenly; a little more room makes up for it.
constexpr double kBlockPenalty = 1.1;

}  // namespace

SplitBlockFilter::SplitBlockFilter(size_t num_keys, double false_positive_rate) {
    const double rate = std::clamp(false_positive_rate, kMinRate, kMaxRate);
    const double bits_per_key = -8.0 / std::log(1.0 - std::pow(rate, 1.0 / 8)) * kBlockPenalty;
    const auto num_blocks =
        static_cast<size_t>(static_cast<double>(num_keys) * bits_per_key / 256) + 1;
    words_.assign(num_blocks * kWords, 0);
}

Result<std::shared_ptr<const SplitBlockFilter>> SplitBlockFilter::open(
    std::span<const uint8_t> bytes
) {
    if (bytes.empty() || bytes.size() % (kWords * sizeof(uint32_t)) != 0) {
        return Status::error(
            ErrorCode::kCorruption, "{} bytes are not a Bloom filter", bytes.size()
        );
    }
    std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return std::shared_ptr<const SplitBlockFilter>(new SplitBlockFilter(std::move(words)));
}

uint64_t SplitBlockFilter::hash(std::string_view key) {
    return XXH3_64bits(key.data(), key.size());
}

}  // namespace thetis
