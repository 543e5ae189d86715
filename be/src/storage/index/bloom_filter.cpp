// SPDX-License-Identifier: Apache-2.0
//   u32 end of each page's filter, in blocks | padding with zero to a multiple of 32 bytes | blocks
#include "storage/index/bloom_filter.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace thetis {

namespace bloom {

namespace {

constexpr uint32_t kSalts[8] = {
    0x47b6137bU,
    0x44974d91U,
    0x8824ad5bU,
    0xa2b7289dU,
    0x705495c7U,
    0x2df1424bU,
    0x9efc4947U,
    0x5c6bfb31U
};

size_t block_of(uint64_t hash, size_t num_blocks) {
    return static_cast<size_t>(((hash >> 32) * num_blocks) >> 32) * kBlockBytes;
}

}  // namespace

uint32_t num_blocks(size_t num_values, double false_positive_rate) {
    // Eight bits per value, each in a word of its own; the formula of the plain filter with eight
    // functions is close enough.
    const double rate = std::clamp(false_positive_rate, 0.0001, 0.5);
    const double bits =
        -8.0 * static_cast<double>(num_values) / std::log(1 - std::pow(rate, 1.0 / 8));
    return static_cast<uint32_t>(std::clamp(std::ceil(bits / (kBlockBytes * 8)), 1.0, 1e6));
}

void insert(std::span<uint8_t> blocks, uint64_t hash) {
    uint8_t* block = blocks.data() + block_of(hash, blocks.size() / kBlockBytes);
    uint32_t words[8];
    std::memcpy(words, block, sizeof(words));
    const auto key = static_cast<uint32_t>(hash);
    for (int i = 0; i < 8; ++i) {
        words[i] |= uint32_t{1} << ((key * kSalts[i]) >> 27);
    }
    std::memcpy(block, words, sizeof(words));
}

bool may_contain(std::span<const uint8_t> blocks, uint64_t hash) {
    const uint8_t* block = blocks.data() + block_of(hash, blocks.size() / kBlockBytes);
    uint32_t words[8];
    std::memcpy(words, block, sizeof(words));
    const auto key = static_cast<uint32_t>(hash);
    uint32_t missing = 0;
    for (int i = 0; i < 8; ++i) {
        missing |= ~words[i] & (uint32_t{1} << ((key * kSalts[i]) >> 27));
    }
    return missing == 0;
}

uint64_t hash_bytes(const void* data, size_t size) {
    return XXH3_64bits(data, size);
}

}  // namespace bloom

std::vector<uint64_t> bloom_hashes(const Column& column) {
    std::vector<uint64_t> hashes;
    hashes.reserve(column.size());
    visit_physical(column.physical(), [&]<typename T>(T) {
        const T* values = column.values<T>();
        for (uint32_t row = 0; row < column.size(); ++row) {
            if (!validity::is_valid(column.valid_words(), row)) {
                continue;
            }
            if constexpr (std::is_same_v<T, StringRef>) {
                hashes.push_back(bloom::hash_bytes(values[row].data(), values[row].size()));
            } else if constexpr (std::is_floating_point_v<T>) {
                // Equal values must hash alike: both zeroes, every NaN.
                const T value = values[row] == 0 ? T{0}
                                                 : (values[row] != values[row]
                                                        ? std::numeric_limits<T>::quiet_NaN()
                                                        : values[row]);
                hashes.push_back(bloom::hash_bytes(&value, sizeof(T)));
            } else {
                hashes.push_back(bloom::hash_bytes(values + row, sizeof(T)));
            }
        }
    });
    return hashes;
}

void PageBloomFilterBuilder::add_page(std::vector<uint64_t> hashes) {
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    const size_t begin = blocks_.size();
    const uint32_t count = bloom::num_blocks(hashes.size(), false_positive_rate_);
    blocks_.resize(begin + count * bloom::kBlockBytes);
    const std::span<uint8_t> filter(blocks_.data() + begin, count * bloom::kBlockBytes);
    for (const uint64_t hash : hashes) {
        bloom::insert(filter, hash);
    }
    ends_.push_back(static_cast<uint32_t>(blocks_.size() / bloom::kBlockBytes));
}

std::vector<uint8_t> PageBloomFilterBuilder::finish() const {
    const size_t head =
        (ends_.size() * 4 + bloom::kBlockBytes - 1) / bloom::kBlockBytes * bloom::kBlockBytes;
    std::vector<uint8_t> body(head + blocks_.size());
    if (!ends_.empty()) {
        std::memcpy(body.data(), ends_.data(), ends_.size() * 4);
        std::memcpy(body.data() + head, blocks_.data(), blocks_.size());
    }
    return body;
}

Result<std::shared_ptr<const PageBloomFilters>> PageBloomFilters::open(
    BufferPtr body, uint32_t num_pages
) {
    const size_t head =
        (size_t{num_pages} * 4 + bloom::kBlockBytes - 1) / bloom::kBlockBytes * bloom::kBlockBytes;
    const auto misfit = [&] {
        return Status::error(
            ErrorCode::kCorruption,
            "Bloom filters of {} pages do not fit {} bytes",
            num_pages,
            body->size()
        );
    };
    if (body->size() < head) {
        return misfit();
    }
    uint64_t end = 0;
    for (uint32_t page = 0; page < num_pages; ++page) {
        const uint32_t next = body->as<uint32_t>()[page];
        if (next <= end) {
            return misfit();
        }
        end = next;
    }
    if (body->size() - head != end * bloom::kBlockBytes) {
        return misfit();
    }
    return std::make_shared<const PageBloomFilters>(std::move(body), num_pages);
}

bool PageBloomFilters::may_contain(uint32_t page, std::span<const uint64_t> hashes) const {
    const size_t head =
        (size_t{num_pages_} * 4 + bloom::kBlockBytes - 1) / bloom::kBlockBytes * bloom::kBlockBytes;
    const uint32_t* ends = body_->as<uint32_t>();
    const uint32_t begin = page == 0 ? 0 : ends[page - 1];
    const std::span<const uint8_t> filter(
        body_->data() + head + begin * bloom::kBlockBytes, (ends[page] - begin) * bloom::kBlockBytes
    );
    return std::any_of(hashes.begin(), hashes.end(), [&](uint64_t hash) {
        return bloom::may_contain(filter, hash);
    });
}

}  // namespace thetis
