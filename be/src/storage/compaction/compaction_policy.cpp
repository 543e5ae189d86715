// SPDX-License-Identifier: Apache-2.0
#include "storage/compaction/compaction_policy.h"

#include <algorithm>

namespace thetis {

std::optional<CompactionPick> pick_compaction(
    std::span<const CompactionInput> rowsets, const CompactionLimits& limits
) {
    // A large newest rowset must not hide small ones before it: the search goes on where one
    // gathering ended.
    for (size_t end = rowsets.size(); end > 0;) {
        int64_t gathered_bytes = 0;
        int64_t score = 0;
        size_t begin = end;
        while (begin > 0) {
            const CompactionInput& next = rowsets[begin - 1];
            const bool joins =
                begin == end || next.size_bytes <= std::max(gathered_bytes, limits.small_bytes);
            if (!joins || gathered_bytes + next.size_bytes > limits.max_output_bytes) {
                break;
            }
            gathered_bytes += next.size_bytes;
            score += next.score();
            --begin;
        }
        // One that outweighs all others together would be rewritten for little: it stays out. Only
        // the ends can be so heavy.
        const auto outweighs = [&](size_t position) {
            return gathered_bytes > limits.small_bytes &&
                   rowsets[position].size_bytes * 2 > gathered_bytes;
        };
        if (outweighs(end - 1)) {
            --end;
            continue;
        }
        if (outweighs(begin)) {
            score -= rowsets[begin].score();
            ++begin;
        }
        if (end - begin > 1 && score >= limits.min_score) {
            return CompactionPick{begin, end};
        }
        end = std::min(begin, end - 1);
    }
    return std::nullopt;
}

}  // namespace thetis
