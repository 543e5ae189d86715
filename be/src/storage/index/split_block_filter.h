// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "io/cache/page_cache.h"

namespace thetis {

/// A Bloom filter whose bits of one key lie in one block of 32 bytes (after Putze, Sanders and
/// Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", 2007): one cache miss per look-up.
/// Says "perhaps" or "no". Immutable once built; lives in the page cache.
class SplitBlockFilter final : public CachedPage {
public:
    /// Room for `num_keys` keys at the wanted rate of false answers.
    SplitBlockFilter(size_t num_keys, double false_positive_rate);

    /// From bytes() of another; corruption when they are no filter.
    static Result<std::shared_ptr<const SplitBlockFilter>> open(std::span<const uint8_t> bytes);

    /// The hash every filter on disk is made with (xxh3 64).
    static uint64_t hash(std::string_view key);

    void add(uint64_t hash) {
        uint32_t* block = block_of(hash);
        for (uint32_t i = 0; i < kWords; ++i) {
            block[i] |= bit(hash, i);
        }
    }

    bool may_contain(uint64_t hash) const {
        const uint32_t* block = const_cast<SplitBlockFilter*>(this)->block_of(hash);
        uint32_t missing = 0;
        for (uint32_t i = 0; i < kWords; ++i) {
            missing |= ~block[i] & bit(hash, i);
        }
        return missing == 0;
    }

    std::span<const uint8_t> bytes() const {
        return {reinterpret_cast<const uint8_t*>(words_.data()), words_.size() * sizeof(uint32_t)};
    }

    size_t memory_bytes() const override { return bytes().size() + sizeof(*this); }

private:
    static constexpr uint32_t kWords = 8;
    // Odd numbers without a pattern; part of the format.
    static constexpr uint32_t kMultipliers[kWords] = {
        0x9E3779B1U,
        0x85EBCA77U,
        0xC2B2AE3DU,
        0x27D4EB2FU,
        0x165667B1U,
        0xD6E8FEB9U,
        0xA0761D65U,
        0xE7037ED1U
    };

    explicit SplitBlockFilter(std::vector<uint32_t> words) : words_(std::move(words)) {}

    static uint32_t bit(uint64_t hash, uint32_t word) {
        return uint32_t{1} << (static_cast<uint32_t>(hash) * kMultipliers[word] >> 27);
    }

    uint32_t* block_of(uint64_t hash) {
        const uint64_t num_blocks = words_.size() / kWords;
        return words_.data() + ((hash >> 32) * num_blocks >> 32) * kWords;
    }

    std::vector<uint32_t> words_;
};

}  // namespace thetis
