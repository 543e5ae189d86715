// SPDX-License-Identifier: Apache-2.0
#include "storage/compaction/compaction_policy.h"

#include <algorithm>

namespace thetis {

namespace {

constexpr std::string_view kKindNames[] = {"cumulative", "base", "full"};

int64_t score_of(std::span<const CompactionInput> rowsets) {
    int64_t score = 0;
    for (const CompactionInput& rowset : rowsets) {
        score += rowset.score();
    }
    return score;
}

/// What a rowset must weigh to leave the cumulative ones.
int64_t promotion_bytes(std::span<const CompactionInput> rowsets, const CompactionLimits& limits) {
    const auto share =
        rowsets.empty()
            ? 0
            : static_cast<int64_t>(
                  static_cast<double>(rowsets.front().size_bytes) * limits.promotion_ratio
              );
    return std::max(limits.promotion_min_bytes, std::min(share, limits.promotion_max_bytes));
}

bool is_promoted(const CompactionInput& rowset, int64_t bytes, const CompactionLimits& limits) {
    return !rowset.is_overlapping &&
           (rowset.size_bytes >= bytes ||
            rowset.end_version - rowset.start_version >= limits.promotion_versions);
}

/// From the newest back, a rowset joins while it is not larger than those gathered so far, so that
/// a row is rewritten a logarithmic number of times.
std::optional<CompactionPick> pick_tier(
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
                begin == end || (next.size_bytes <= std::max(gathered_bytes, limits.small_bytes) &&
                                 score + next.score() <= limits.max_score);
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
        if (begin < end && outweighs(end - 1) && !rowsets[end - 1].is_overlapping) {
            --end;
            continue;
        }
        if (begin < end && outweighs(begin) && !rowsets[begin].is_overlapping) {
            score -= rowsets[begin].score();
            ++begin;
        }
        const bool is_worth_it =
            end - begin > 1 || (end - begin == 1 && rowsets[begin].is_overlapping);
        if (is_worth_it && score >= limits.min_score) {
            return CompactionPick{begin, end, 0};
        }
        end = std::min(begin, end - 1);
    }
    return std::nullopt;
}

bool needs_merge(std::span<const CompactionInput> rowsets) {
    return rowsets.size() > 1 || (!rowsets.empty() && rowsets.front().is_overlapping);
}

}  // namespace

std::string_view to_string(CompactionKind kind) {
    return kKindNames[static_cast<size_t>(kind)];
}

Result<CompactionKind> parse_compaction_kind(std::string_view text) {
    for (size_t i = 0; i < std::size(kKindNames); ++i) {
        if (kKindNames[i] == text) {
            return static_cast<CompactionKind>(i);
        }
    }
    return Status::error(
        ErrorCode::kInvalidArgument, "compact_type is base, cumulative or full, not '{}'", text
    );
}

int64_t first_cumulative_point(
    std::span<const CompactionInput> rowsets, const CompactionLimits& limits
) {
    int64_t point = 0;
    const int64_t bytes = promotion_bytes(rowsets, limits);
    for (const CompactionInput& rowset : rowsets) {
        if (point > 0 && !rowset.is_delete && !is_promoted(rowset, bytes, limits)) {
            break;
        }
        point = rowset.end_version + 1;
    }
    return point;
}

std::optional<CompactionPick> pick_cumulative(
    std::span<const CompactionInput> rowsets,
    int64_t point,
    const CompactionLimits& limits,
    bool is_forced
) {
    size_t first = 0;
    while (first < rowsets.size() && rowsets[first].start_version < point) {
        ++first;
    }
    const int64_t bytes = promotion_bytes(rowsets, limits);
    // What has grown up by itself is the base's.
    size_t grown = first;
    while (grown < rowsets.size() && !rowsets[grown].is_delete &&
           is_promoted(rowsets[grown], bytes, limits)) {
        ++grown;
    }
    if (grown > first && !is_forced) {
        return CompactionPick{grown, grown, rowsets[grown - 1].end_version + 1};
    }
    const auto candidates = rowsets.subspan(first);
    const auto condition =
        std::find_if(candidates.begin(), candidates.end(), [](const CompactionInput& each) {
            return each.is_delete;
        });
    if (condition != candidates.end()) {
        const auto count = static_cast<size_t>(condition - candidates.begin());
        const int64_t behind = condition->end_version + 1;
        if (needs_merge(candidates.first(count))) {
            return CompactionPick{first, first + count, behind};
        }
        return CompactionPick{first, first, behind};
    }
    std::optional<CompactionPick> pick;
    if (is_forced) {
        if (needs_merge(candidates)) {
            pick = CompactionPick{first, rowsets.size(), point};
        }
    } else {
        pick = pick_tier(candidates, limits);
        if (pick.has_value()) {
            *pick = {first + pick->begin, first + pick->end, point};
        }
    }
    if (!pick.has_value()) {
        return std::nullopt;
    }
    CompactionInput merged{
        .start_version = rowsets[pick->begin].start_version,
        .end_version = rowsets[pick->end - 1].end_version
    };
    for (size_t i = pick->begin; i < pick->end; ++i) {
        merged.size_bytes += rowsets[i].size_bytes;
    }
    pick->cumulative_point = point;
    if (pick->begin == first && is_promoted(merged, bytes, limits)) {
        pick->cumulative_point = merged.end_version + 1;
    }
    return pick;
}

std::optional<CompactionPick> pick_base(
    std::span<const CompactionInput> rowsets,
    int64_t point,
    const CompactionLimits& limits,
    int64_t now_seconds,
    bool is_forced
) {
    size_t end = 0;
    bool has_condition = false;
    while (end < rowsets.size() && rowsets[end].start_version < point) {
        has_condition |= rowsets[end].is_delete;
        ++end;
    }
    size_t begin = 0;
    while (!has_condition && begin < end && rowsets[begin].size_bytes > limits.base_skipped_bytes) {
        ++begin;
    }
    const auto chosen = rowsets.subspan(begin, end - begin);
    if (!needs_merge(chosen)) {
        return std::nullopt;
    }
    if (chosen.size() == 2 && chosen.front().num_rows == 0 && !chosen.back().is_overlapping &&
        !has_condition && !is_forced) {
        return std::nullopt;  // An empty base: nothing would change but the name.
    }
    int64_t bytes = 0;
    for (const CompactionInput& rowset : chosen.subspan(1)) {
        bytes += rowset.size_bytes;
    }
    const bool is_due = is_forced ||
                        static_cast<int64_t>(chosen.size()) > limits.base_min_rowsets ||
                        static_cast<double>(bytes) > static_cast<double>(chosen.front().size_bytes
                                                     ) * limits.base_min_data_ratio ||
                        now_seconds - chosen.front().creation_time > limits.base_max_age_seconds;
    if (!is_due) {
        return std::nullopt;
    }
    size_t count = chosen.size();
    while (!is_forced && count > 2 && score_of(chosen.first(count)) > limits.base_max_score) {
        --count;
    }
    return CompactionPick{begin, begin + count, point};
}

std::optional<CompactionPick> pick_full(
    std::span<const CompactionInput> rowsets, int64_t point, bool has_deleted_rows
) {
    if (rowsets.empty() || (!needs_merge(rowsets) && !has_deleted_rows)) {
        return std::nullopt;
    }
    return CompactionPick{0, rowsets.size(), std::max(point, rowsets.back().end_version + 1)};
}

}  // namespace thetis
