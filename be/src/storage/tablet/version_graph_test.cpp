// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/version_graph.h"

#include <gtest/gtest.h>

namespace thetis {
namespace {

std::vector<size_t> path(std::vector<VersionRange> ranges, int64_t version) {
    return find_version_path(ranges, version).value_or(std::vector<size_t>{999});
}

TEST(VersionGraph, TakesTheFewestRangesThatCoverExactly) {
    const std::vector<VersionRange> ranges{
        {5, 5}, {0, 1}, {2, 2}, {3, 3}, {4, 4}, {2, 4}, {0, 3}, {3, 5}
    };
    EXPECT_EQ(path(ranges, 1), (std::vector<size_t>{1}));
    EXPECT_EQ(path(ranges, 2), (std::vector<size_t>{1, 2}));
    EXPECT_EQ(path(ranges, 4), (std::vector<size_t>{1, 5}));
    EXPECT_EQ(path(ranges, 5).size(), 3U);
    EXPECT_EQ(path(ranges, 6), (std::vector<size_t>{999}));
    EXPECT_EQ(path(ranges, 0), (std::vector<size_t>{999}));
    EXPECT_EQ(max_contiguous_version(ranges), 5);
}

TEST(VersionGraph, OfEqualRangesTheLastIsTaken) {
    const std::vector<VersionRange> ranges{{0, 1}, {2, 2}, {2, 2}, {3, 3}, {2, 2}};
    EXPECT_EQ(path(ranges, 3), (std::vector<size_t>{0, 4, 3}));
}

TEST(VersionGraph, AGapEndsTheContiguousVersions) {
    const std::vector<VersionRange> ranges{{0, 1}, {2, 2}, {4, 4}, {5, 9}};
    EXPECT_EQ(max_contiguous_version(ranges), 2);
    EXPECT_EQ(path(ranges, 4), (std::vector<size_t>{999}));
    EXPECT_EQ(max_contiguous_version({}), -1);
}

}  // namespace
}  // namespace thetis
