// SPDX-License-Identifier: Apache-2.0
#include "storage/rowset/delete_bitmap.h"

#include <roaring/roaring.hh>

#include <gtest/gtest.h>

namespace thetis {
namespace {

RowBitmapPtr rows(std::initializer_list<uint32_t> positions) {
    auto bitmap = std::make_shared<RowBitmap>();
    for (const uint32_t position : positions) {
        bitmap->add(position);
    }
    return bitmap;
}

TEST(DeleteBitmapTest, ReadersSeeMarksUpToTheirVersion) {
    DeleteBitmap bitmap;
    bitmap.add(3, {{0, rows({1, 2})}, {4, rows({9})}});
    bitmap.add(5, {{0, rows({2, 3})}});
    bitmap.add(8, {{0, rows({70000})}});
    EXPECT_EQ(bitmap.at(0, 2), nullptr);
    EXPECT_EQ(*bitmap.at(0, 3), *rows({1, 2}));
    EXPECT_EQ(*bitmap.at(0, 4), *rows({1, 2}));
    EXPECT_EQ(*bitmap.at(0, 100), *rows({1, 2, 3, 70000}));
    // Older again after the newest was joined and kept.
    EXPECT_EQ(*bitmap.at(0, 5), *rows({1, 2, 3}));
    EXPECT_EQ(bitmap.at(0, 100), bitmap.at(0, 8));
    EXPECT_EQ(*bitmap.at(4, 8), *rows({9}));
    EXPECT_EQ(bitmap.at(1, 8), nullptr);
    EXPECT_EQ(bitmap.num_rows(2), 0);
    EXPECT_EQ(bitmap.num_rows(5), 4);
    EXPECT_EQ(bitmap.num_rows(8), 5);
    EXPECT_EQ(bitmap.versions(), (std::vector<int64_t>{3, 5, 8}));
    EXPECT_EQ(bitmap.between(3, 5).size(), 1U);

    bitmap.add(5, {{0, rows({4})}});
    EXPECT_EQ(*bitmap.at(0, 100), *rows({1, 2, 3, 4, 70000}));
}

TEST(DeleteBitmapTest, VersionsCanBeJoined) {
    DeleteBitmap bitmap;
    bitmap.add(3, {{0, rows({1})}});
    bitmap.add(4, {{0, rows({2})}, {1, rows({7})}});
    bitmap.add(6, {{0, rows({3})}});
    SegmentMarks joined;
    EXPECT_TRUE(bitmap.join_versions(3, 5, joined));
    EXPECT_EQ(*joined.at(0), *rows({1, 2}));
    EXPECT_EQ(*joined.at(1), *rows({7}));
    EXPECT_EQ(bitmap.at(0, 4), nullptr);
    EXPECT_EQ(*bitmap.at(0, 5), *rows({1, 2}));
    EXPECT_EQ(*bitmap.at(0, 6), *rows({1, 2, 3}));
    joined.clear();
    EXPECT_FALSE(bitmap.join_versions(5, 5, joined));
}

TEST(DeleteBitmapTest, StoredFormIsCheckedByteByByte) {
    auto many = std::make_shared<RowBitmap>();
    for (uint32_t i = 0; i < 100000; i += 3) {
        many->add(i);
    }
    const SegmentMarks marks{{0, rows({1, 5})}, {7, many}};
    const std::string bytes = encode_marks(marks);
    const auto decoded = decode_marks(bytes);
    ASSERT_TRUE(decoded.ok()) << decoded.status().to_string();
    ASSERT_EQ(decoded->size(), 2U);
    EXPECT_EQ(*decoded->at(0), *marks.at(0));
    EXPECT_EQ(*decoded->at(7), *many);
    for (size_t i = 0; i < bytes.size(); i += 11) {
        std::string damaged(bytes);
        damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
        EXPECT_EQ(decode_marks(damaged).status().code(), ErrorCode::kCorruption) << i;
        EXPECT_FALSE(decode_marks(std::string_view(bytes).substr(0, i)).ok()) << i;
    }
}

}  // namespace
}  // namespace thetis
