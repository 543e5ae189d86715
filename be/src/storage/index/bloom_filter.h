// SPDX-License-Identifier: Apache-2.0
// Split-block bloom filters (Putze, Sanders, Singler, "Cache-, Hash- and Space-Efficient Bloom
// Filters", 2007, in the form of Parquet): a value sets one bit in each of the eight words of one
// 32-byte block.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "column/column.h"
#include "io/cache/page_cache.h"

namespace thetis {

namespace bloom {

inline constexpr size_t kBlockBytes = 32;

/// Blocks that give so many distinct values about the given rate of false positives.
uint32_t num_blocks(size_t num_values, double false_positive_rate);

/// Sets the bits of a value's hash in `blocks`.
void insert(std::span<uint8_t> blocks, uint64_t hash);

/// False when no value with this hash was inserted. `blocks` is not empty.
bool may_contain(std::span<const uint8_t> blocks, uint64_t hash);

/// Of a value's bytes: what insert and may_contain take. On disk: never changes.
uint64_t hash_bytes(const void* data, size_t size);

}  // namespace bloom

/// One hash per row of a flat column; rows that are null get none.
std::vector<uint64_t> bloom_hashes(const Column& column);

/// Gathers the bloom filters of a column's pages.
class PageBloomFilterBuilder {
public:
    explicit PageBloomFilterBuilder(double false_positive_rate)
        : false_positive_rate_(false_positive_rate) {}

    /// The next page: the hashes of its values, in any order and number.
    void add_page(std::vector<uint64_t> hashes);

    /// The body of the column's bloom filter page.
    std::vector<uint8_t> finish() const;

private:
    const double false_positive_rate_;
    std::vector<uint32_t> ends_;  // In blocks.
    std::vector<uint8_t> blocks_;
};

/// The bloom filters of a column's pages. Immutable.
class PageBloomFilters final : public CachedPage {
public:
    /// Corruption unless the body holds filters for so many pages.
    static Result<std::shared_ptr<const PageBloomFilters>> open(BufferPtr body, uint32_t num_pages);

    size_t memory_bytes() const override { return body_->size() + sizeof(*this); }

    /// False when the page has none of the values with these hashes.
    bool may_contain(uint32_t page, std::span<const uint64_t> hashes) const;

    /// Use open().
    PageBloomFilters(BufferPtr body, uint32_t num_pages)
        : body_(std::move(body)), num_pages_(num_pages) {}

private:
    const BufferPtr body_;
    const uint32_t num_pages_;
};

}  // namespace thetis
