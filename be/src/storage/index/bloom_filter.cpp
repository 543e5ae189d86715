// SPDX-License-Identifier: Apache-2.0
//   u32 end of each page's filter, in blocks | padding with zero to a multiple of 32 bytes | blocks
#include "storage/index/bloom_filter.h"

#include <algorithm>
#include <cstring>

namespace thetis {

namespace {

constexpr size_t kBlockBytes = 32;

template <typename T>
uint64_t hash_value(const T& value) {
    return SplitBlockFilter::hash({reinterpret_cast<const char*>(&value), sizeof(T)});
}

size_t head_bytes(size_t num_pages) {
    return (num_pages * sizeof(uint32_t) + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

}  // namespace

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
                hashes.push_back(SplitBlockFilter::hash(values[row].view()));
            } else if constexpr (std::is_floating_point_v<T>) {
                // Equal values must hash alike: both zeroes, every NaN.
                const T value = values[row] == 0 ? T{0}
                                                 : (values[row] != values[row]
                                                        ? std::numeric_limits<T>::quiet_NaN()
                                                        : values[row]);
                hashes.push_back(hash_value(value));
            } else {
                hashes.push_back(hash_value(values[row]));
            }
        }
    });
    return hashes;
}

void PageBloomFilterBuilder::add_page(std::vector<uint64_t> hashes) {
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    SplitBlockFilter filter(hashes.size(), false_positive_rate_);
    for (const uint64_t hash : hashes) {
        filter.add(hash);
    }
    const std::span<const uint8_t> bytes = filter.bytes();
    blocks_.insert(blocks_.end(), bytes.begin(), bytes.end());
    ends_.push_back(static_cast<uint32_t>(blocks_.size() / kBlockBytes));
}

std::vector<uint8_t> PageBloomFilterBuilder::finish() const {
    const size_t head = head_bytes(ends_.size());
    std::vector<uint8_t> body(head + blocks_.size());
    if (!ends_.empty()) {
        std::memcpy(body.data(), ends_.data(), ends_.size() * sizeof(uint32_t));
        std::memcpy(body.data() + head, blocks_.data(), blocks_.size());
    }
    return body;
}

Result<std::shared_ptr<const PageBloomFilters>> PageBloomFilters::open(
    std::span<const uint8_t> body, uint32_t num_pages
) {
    const size_t head = head_bytes(num_pages);
    const auto misfit = [&] {
        return Status::error(
            ErrorCode::kCorruption,
            "Bloom filters of {} pages do not fit {} bytes",
            num_pages,
            body.size()
        );
    };
    if (body.size() < head || (body.size() - head) % kBlockBytes != 0) {
        return misfit();
    }
    const std::span<const uint8_t> blocks = body.subspan(head);
    auto result = std::make_shared<PageBloomFilters>();
    size_t begin = 0;
    for (uint32_t page = 0; page < num_pages; ++page) {
        uint32_t end_block;
        std::memcpy(&end_block, body.data() + page * sizeof(uint32_t), sizeof(uint32_t));
        const size_t end = end_block * kBlockBytes;
        if (end <= begin || end > blocks.size()) {
            return misfit();
        }
        ASSIGN_OR_RETURN(auto filter, SplitBlockFilter::open(blocks.subspan(begin, end - begin)));
        result->filters_.push_back(std::move(filter));
        begin = end;
    }
    return begin == blocks.size() ? Result<std::shared_ptr<const PageBloomFilters>>(result)
                                  : misfit();
}

size_t PageBloomFilters::memory_bytes() const {
    size_t bytes = sizeof(*this);
    for (const auto& filter : filters_) {
        bytes += filter->memory_bytes();
    }
    return bytes;
}

bool PageBloomFilters::may_contain(uint32_t page, std::span<const uint64_t> hashes) const {
    return std::any_of(hashes.begin(), hashes.end(), [&](uint64_t hash) {
        return filters_[page]->may_contain(hash);
    });
}

}  // namespace thetis
