// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "column/column.h"
#include "storage/index/split_block_filter.h"

namespace thetis {

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
    static Result<std::shared_ptr<const PageBloomFilters>> open(
        std::span<const uint8_t> body, uint32_t num_pages
    );

    size_t memory_bytes() const override;

    /// False when the page has none of the values with these hashes.
    bool may_contain(uint32_t page, std::span<const uint64_t> hashes) const;

private:
    std::vector<std::shared_ptr<const SplitBlockFilter>> filters_;
};

}  // namespace thetis
