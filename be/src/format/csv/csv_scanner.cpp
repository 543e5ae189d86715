// SPDX-License-Identifier: Apache-2.0
#include "format/csv/csv_scanner.h"

#include <cstring>

#include <immintrin.h>

namespace thetis {

namespace {

uint32_t match_mask(const char* block, __m256i first, __m256i second) {
    __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
    __m256i hits =
        _mm256_or_si256(_mm256_cmpeq_epi8(bytes, first), _mm256_cmpeq_epi8(bytes, second));
    return static_cast<uint32_t>(_mm256_movemask_epi8(hits));
}

}  // namespace

void find_either_byte(
    std::string_view text, char first, char second, std::vector<uint32_t>& positions
) {
    const __m256i wanted_first = _mm256_set1_epi8(first);
    const __m256i wanted_second = _mm256_set1_epi8(second);
    size_t used = positions.size();
    for (size_t at = 0; at < text.size(); at += 64) {
        uint64_t hits =
            match_mask(text.data() + at, wanted_first, wanted_second) |
            static_cast<uint64_t>(match_mask(text.data() + at + 32, wanted_first, wanted_second))
                << 32;
        if (text.size() - at < 64) {
            hits &= (uint64_t{1} << (text.size() - at)) - 1;
        }
        if (positions.size() < used + 64) {
            positions.resize(positions.size() * 2 + 4096);
        }
        uint32_t* out = positions.data() + used;
        used += static_cast<size_t>(__builtin_popcountll(hits));
        while (hits != 0) {
            *out++ = static_cast<uint32_t>(at) + static_cast<uint32_t>(__builtin_ctzll(hits));
            hits &= hits - 1;
        }
    }
    positions.resize(used);
}

size_t find_text(std::string_view text, std::string_view needle, size_t from) {
    if (from > text.size()) {
        return std::string_view::npos;
    }
    if (needle.size() == 1) {
        const void* found = std::memchr(text.data() + from, needle[0], text.size() - from);
        return found == nullptr
                   ? std::string_view::npos
                   : static_cast<size_t>(static_cast<const char*>(found) - text.data());
    }
    const void* found =
        memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
    return found == nullptr ? std::string_view::npos
                            : static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace thetis
