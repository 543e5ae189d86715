// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/version_graph.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace thetis {

namespace {

/// How a version boundary is reached with the fewest ranges, of the same range given twice by the
/// last.
struct Step {
    size_t num_ranges = 0;
    size_t range = 0;
};

/// Ends of ranges that [0-end] can be covered up to. Ranges in order of their start see all their
/// predecessors first.
std::unordered_map<int64_t, Step> reach(std::span<const VersionRange> ranges, int64_t limit) {
    std::vector<size_t> order(ranges.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return ranges[a].start != ranges[b].start ? ranges[a].start < ranges[b].start : a < b;
    });
    std::unordered_map<int64_t, Step> reached;
    reached[-1] = {};
    for (const size_t i : order) {
        const auto before = reached.find(ranges[i].start - 1);
        if (before == reached.end() || ranges[i].end > limit) {
            continue;
        }
        const size_t num_ranges = before->second.num_ranges + 1;
        auto [step, is_first] = reached.try_emplace(ranges[i].end, Step{num_ranges, i});
        const bool is_newer_of_same = num_ranges == step->second.num_ranges &&
                                      ranges[i].start == ranges[step->second.range].start;
        if (!is_first && (num_ranges < step->second.num_ranges || is_newer_of_same)) {
            step->second = {num_ranges, i};
        }
    }
    return reached;
}

}  // namespace

std::optional<std::vector<size_t>> find_version_path(
    std::span<const VersionRange> ranges, int64_t version
) {
    const auto reached = reach(ranges, version);
    std::vector<size_t> path;
    for (int64_t end = version; end != -1;) {
        const auto step = reached.find(end);
        if (step == reached.end()) {
            return std::nullopt;
        }
        path.push_back(step->second.range);
        end = ranges[step->second.range].start - 1;
    }
    std::reverse(path.begin(), path.end());
    return path;
}

int64_t max_contiguous_version(std::span<const VersionRange> ranges) {
    int64_t max = -1;
    for (const auto& [end, step] : reach(ranges, INT64_MAX)) {
        max = std::max(max, end);
    }
    return max;
}

}  // namespace thetis
