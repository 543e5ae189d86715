// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/row_store.h"

#include <random>

#include <gtest/gtest.h>

#include "column/testing/columns.h"

namespace thetis {
namespace {

const std::vector<DataType> kTypes{
    DataType::of(TypeId::kBoolean),
    DataType::of(TypeId::kTinyint),
    DataType::of(TypeId::kSmallint),
    DataType::of(TypeId::kInt),
    DataType::of(TypeId::kBigint),
    DataType::of(TypeId::kLargeint),
    DataType::of(TypeId::kFloat),
    DataType::of(TypeId::kDouble),
    DataType::decimal(9, 2),
    DataType::decimal(38, 10),
    DataType::of(TypeId::kDate),
    DataType::datetime(6),
    DataType::varchar(70000)
};

ColumnPtr random_column(const DataType& type, uint32_t num_rows, std::mt19937_64& random) {
    ColumnBuilder builder(type);
    for (uint32_t row = 0; row < num_rows; ++row) {
        if (random() % 5 == 0) {
            builder.append_null();
            continue;
        }
        visit_physical(type.physical(), [&]<typename T>(T) {
            if constexpr (std::is_same_v<T, StringRef>) {
                builder.append_string(std::string(random() % 300, static_cast<char>(random())));
            } else {
                builder.append<T>(static_cast<T>(random() % 2 == 0 ? random() % 100 : random()));
            }
        });
    }
    return builder.finish();
}

void expect_equal(const ColumnPtr& left, const ColumnPtr& right) {
    ASSERT_EQ(left->size(), right->size());
    for (uint32_t row = 0; row < left->size(); ++row) {
        ASSERT_EQ(left->is_null(row), right->is_null(row)) << row;
        if (!left->is_null(row)) {
            ASSERT_EQ(Scalar::from_column(*left, row).compare(Scalar::from_column(*right, row)), 0)
                << row;
        }
    }
}

class RowStoreTest : public ::testing::Test {
protected:
    RowStoreTest() : random_(7) {
        for (size_t i = 0; i < kTypes.size(); ++i) {
            // Ids of one, two and five bytes.
            ids_.push_back(static_cast<int32_t>(i < 4 ? i : (i < 8 ? i * 50 : i * 100'000'000)));
            columns_.push_back(random_column(kTypes[i], kRows, random_));
        }
        ColumnBuilder builder(DataType::of(TypeId::kString, false));
        encode_row_store(ids_, columns_, builder);
        rows_ = builder.finish();
    }

    static constexpr uint32_t kRows = 500;
    std::mt19937_64 random_;
    std::vector<int32_t> ids_;
    std::vector<ColumnPtr> columns_;
    ColumnPtr rows_;
};

TEST_F(RowStoreTest, EveryTypeComesBack) {
    std::vector<RowStoreColumn> wanted;
    for (size_t i = ids_.size(); i-- > 0;) {
        wanted.push_back({ids_[i], kTypes[i]});
    }
    const auto decoded = decode_row_store(*rows_, wanted);
    ASSERT_TRUE(decoded.ok()) << decoded.status().to_string();
    for (size_t i = 0; i < ids_.size(); ++i) {
        SCOPED_TRACE(kTypes[i].to_string());
        expect_equal((*decoded)[ids_.size() - 1 - i], columns_[i]);
    }
}

TEST_F(RowStoreTest, ColumnsMayBeFewAndMissingOnesHaveTheirDefault) {
    const std::vector<RowStoreColumn> wanted{
        {1'250'000'000, DataType::of(TypeId::kInt)},
        {ids_[3], kTypes[3]},
        {5, DataType::of(TypeId::kInt), testing::ints({42})}
    };
    const auto decoded = decode_row_store(*rows_, wanted);
    ASSERT_TRUE(decoded.ok()) << decoded.status().to_string();
    expect_equal((*decoded)[1], columns_[3]);
    for (uint32_t row = 0; row < kRows; ++row) {
        EXPECT_TRUE((*decoded)[0]->is_null(row));
        EXPECT_EQ((*decoded)[2]->values<int32_t>()[row], 42);
    }
}

TEST_F(RowStoreTest, AWrongTypeOrACutRowIsCorruption) {
    const std::vector<RowStoreColumn> other{{ids_[3], DataType::of(TypeId::kBigint)}};
    EXPECT_EQ(decode_row_store(*rows_, other).status().code(), ErrorCode::kCorruption);
    const std::vector<RowStoreColumn> wanted{{ids_[12], kTypes[12]}};
    const std::string_view whole = rows_->values<StringRef>()[0].view();
    for (size_t size = 0; size < whole.size(); ++size) {
        ColumnBuilder builder(DataType::of(TypeId::kString, false));
        builder.append_string(whole.substr(0, size));
        EXPECT_EQ(
            decode_row_store(*builder.finish(), wanted).status().code(), ErrorCode::kCorruption
        ) << size;
    }
    // Any other byte gives a value or an error, never a read past the end.
    for (int i = 0; i < 2000; ++i) {
        std::string damaged(rows_->values<StringRef>()[random_() % kRows].view());
        damaged[random_() % damaged.size()] = static_cast<char>(random_());
        ColumnBuilder builder(DataType::of(TypeId::kString, false));
        builder.append_string(damaged);
        static_cast<void>(decode_row_store(*builder.finish(), wanted).ok());
    }
}

}  // namespace
}  // namespace thetis
