// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/memory/tracker.h"
#include "column/batch_codec.h"
#include "column/bucket_hash.h"
#include "column/hashing.h"
#include "column/sort_key.h"
#include "column/testing/columns.h"

namespace thetis {

namespace {

using testing::as_dictionary;
using testing::batch;
using testing::bigints;
using testing::doubles;
using testing::ints;
using testing::null;
using testing::rows_of;
using testing::texts;
using Rows = std::vector<std::string>;

const std::string kLong = "a text that does not fit into twelve bytes";

TEST(Column, GathersEveryForm) {
    const ColumnPtr flat = texts({"a", null, kLong});
    const std::vector<uint32_t> positions{2, 2, 1, 0};
    for (const ColumnPtr& column : {flat, as_dictionary(flat)}) {
        EXPECT_EQ(rows_of(*gather(column, positions.data(), 4)), (Rows{kLong, kLong, "NULL", "a"}));
        EXPECT_EQ(rows_of(*slice(column, 1, 2)), (Rows{"NULL", kLong}));
        EXPECT_EQ(rows_of(*column->flatten(column)), (Rows{"a", "NULL", kLong}));
    }
    EXPECT_EQ(gather(as_dictionary(flat), positions.data(), 4)->form(), ColumnForm::kDictionary);
    const ColumnPtr constant = Column::constant(ints({7}), 5);
    EXPECT_EQ(rows_of(*slice(constant, 1, 3)), (Rows{"7", "7", "7"}));
    const ColumnPtr nulls = Column::all_null(DataType::of(TypeId::kInt), 2);
    EXPECT_EQ(rows_of(*nulls->flatten(nulls)), (Rows{"NULL", "NULL"}));
}

TEST(Column, GathersNullForMissingPositions) {
    const std::vector<uint32_t> positions{1, kNullPosition, 0};
    EXPECT_EQ(
        rows_of(*gather_or_null(ints({1, null}), positions.data(), 3)), (Rows{"NULL", "NULL", "1"})
    );
    EXPECT_EQ(
        rows_of(*gather_or_null(as_dictionary(texts({"x", "y"})), positions.data(), 3)),
        (Rows{"y", "NULL", "x"})
    );
    EXPECT_EQ(
        rows_of(*gather_or_null(Column::constant(ints({4}), 2), positions.data(), 3)),
        (Rows{"4", "NULL", "4"})
    );
    const std::vector<uint32_t> none{kNullPosition};
    EXPECT_EQ(rows_of(*gather_or_null(ints({}), none.data(), 1)), (Rows{"NULL"}));
}

TEST(Column, Concatenates) {
    EXPECT_EQ(
        rows_of(*concatenate({ints({1, null}), Column::constant(ints({3}), 2), ints({})})),
        (Rows{"1", "NULL", "3", "3"})
    );
    const ColumnPtr dictionary = as_dictionary(texts({"a", "b", "a"}));
    EXPECT_EQ(concatenate({dictionary, slice(dictionary, 0, 2)})->form(), ColumnForm::kDictionary);
    EXPECT_EQ(rows_of(*concatenate({dictionary, texts({kLong})})), (Rows{"a", "b", "a", kLong}));
}

TEST(ColumnBuilder, GrowsAndKeepsNulls) {
    ColumnBuilder builder(DataType::of(TypeId::kString));
    for (int i = 0; i < 1000; ++i) {
        if (i % 3 == 0) {
            builder.append_null();
        } else {
            builder.append_string(kLong + std::to_string(i));
        }
    }
    const ColumnPtr column = builder.finish();
    EXPECT_EQ(validity::count_nulls(column->valid_words(), 1000), 334U);
    EXPECT_EQ(value_text(*column, 999), "NULL");
    EXPECT_EQ(value_text(*column, 998), kLong + "998");
    EXPECT_EQ(builder.size(), 0U);
    EXPECT_EQ(builder.finish()->size(), 0U);
}

TEST(ColumnBuilder, AppendsRowsOfOtherColumns) {
    ColumnBuilder builder(DataType::of(TypeId::kString));
    const ColumnPtr source = texts({kLong, null, "b"});
    builder.append_from(*as_dictionary(source), 0U, 3);
    const std::vector<uint16_t> positions{2, 0};
    builder.append_from(*source, positions.data(), 2);
    builder.append_scalar(Scalar::text(source->type(), "z"));
    builder.append_scalar(Scalar::null(source->type()));
    EXPECT_EQ(rows_of(*builder.finish()), (Rows{kLong, "NULL", "b", "b", kLong, "z", "NULL"}));
}

TEST(Batch, CompactsItsSelection) {
    Batch rows = batch({ints({1, 2, 3}), texts({"a", "b", "c"})});
    rows.selection = std::make_shared<const Selection>(Selection{0, 2});
    const Batch dense = rows.compact();
    EXPECT_EQ(dense.num_rows, 2U);
    EXPECT_EQ(dense.selection, nullptr);
    EXPECT_EQ(rows_of(*dense.columns[1]), (Rows{"a", "c"}));
}

TEST(Hashing, DependsOnValuesAlone) {
    const ColumnPtr flat = texts({"a", null, kLong, "a"});
    std::vector<uint64_t> expected(4);
    hash_rows(std::vector{flat}, nullptr, 4, expected.data());
    EXPECT_EQ(expected[0], expected[3]);
    EXPECT_NE(expected[0], expected[1]);
    std::vector<uint64_t> actual(4);
    hash_rows(std::vector{as_dictionary(flat)}, nullptr, 4, actual.data());
    EXPECT_EQ(actual, expected);
    const Selection selection{2, 3};
    hash_rows(std::vector{flat}, &selection, 2, actual.data());
    EXPECT_EQ(actual[0], expected[2]);

    std::vector<uint64_t> narrow(2);
    std::vector<uint64_t> wide(2);
    hash_rows(std::vector{ints({-5, 70000})}, nullptr, 2, narrow.data());
    hash_rows(std::vector{bigints({-5, 70000})}, nullptr, 2, wide.data());
    EXPECT_EQ(narrow, wide);
    hash_rows(std::vector{doubles({0.0, -0.0})}, nullptr, 2, wide.data());
    EXPECT_EQ(wide[0], wide[1]);
}

TEST(BucketHash, IsCrc32cOfTheBytes) {
    // Check value of CRC-32C for "123456789", as every implementation gives it.
    uint32_t hash = 0;
    bucket_hash(std::vector{texts({"123456789"})}, 1, &hash);
    EXPECT_EQ(hash, 0xE3069283U);
    // 32 bytes of zeroes: RFC 3720 B.4.
    std::vector<ColumnPtr> zeroes(4, bigints({0}));
    bucket_hash(zeroes, 1, &hash);
    EXPECT_EQ(hash, 0x8A9136AAU);
    // NULL is four zero bytes.
    uint32_t of_null = 1;
    bucket_hash(std::vector{texts({null})}, 1, &of_null);
    bucket_hash(std::vector{ints({0})}, 1, &hash);
    EXPECT_EQ(of_null, hash);
}

TEST(SortKey, OrdersLikeTheRows) {
    const ColumnPtr numbers = bigints({null, INT64_MIN, -1, 0, 1, INT64_MAX});
    const ColumnPtr reals = doubles({null, -INFINITY, -1.5, 0.0, 1e300, NAN});
    const ColumnPtr strings =
        texts({null, "", std::string("\0", 1), std::string("\0a", 2), "a", "ab"});
    for (const ColumnPtr& column : {numbers, reals, strings}) {
        for (const SortOrder order :
             {SortOrder{true, true},
              SortOrder{false, false},
              SortOrder{true, false},
              SortOrder{false, true}}) {
            const SortKeyEncoder encoder({column->type()}, {order});
            SortKeys keys;
            encoder.encode(std::vector{column}, nullptr, 6, keys);
            for (uint32_t i = 1; i + 1 < 6; ++i) {
                EXPECT_EQ(keys[i] < keys[i + 1], order.ascending)
                    << column->type().to_string() << i;
                EXPECT_EQ(keys[0] < keys[i], order.nulls_first);
            }
            EXPECT_EQ(encoder.encode_row(std::vector{Scalar::from_column(*column, 3)}), keys[3]);
            EXPECT_EQ(encoder.fixed_bytes(), column == strings ? 0U : 9U);
        }
    }
}

TEST(SortKey, LaterColumnsDecideTies) {
    const std::vector<ColumnPtr> columns{texts({"a", "a", "b"}), ints({2, 1, 0})};
    const SortKeyEncoder encoder(
        {columns[0]->type(), columns[1]->type()}, {{false, true}, {true, true}}
    );
    SortKeys keys;
    encoder.encode(columns, nullptr, 3, keys);
    EXPECT_LT(keys[2], keys[1]);
    EXPECT_LT(keys[1], keys[0]);
}

Batch sample_batch() {
    Batch rows = batch(
        {ints({1, null, -300000}),
         bigints({INT64_MIN, INT64_MAX, 0}),
         texts({kLong, "", null}),
         as_dictionary(texts({"x", null, "x"})),
         Column::constant(texts({"same"}), 3),
         doubles({1.5, null, NAN}),
         testing::parsed(
             DataType::of(TypeId::kLargeint),
             {"170141183460469231731687303715884105727", "-1", null}
         ),
         testing::parsed(DataType::decimal(38, 2), {"1.25", "99999999999999999999.99", "0"}),
         testing::parsed(
             DataType::datetime(6), {"2020-01-01 10:11:12.345678", null, "9999-12-31 23:59:59"}
         ),
         Column::all_null(DataType::of(TypeId::kInt), 3)}
    );
    return rows;
}

TEST(BatchCodec, RoundTrips) {
    for (const bool compress : {false, true}) {
        std::string bytes;
        encode_batch(sample_batch(), compress, bytes);
        const Result<Batch> decoded = decode_batch(bytes);
        ASSERT_TRUE(decoded.ok()) << decoded.status().to_string();
        for (size_t i = 0; i < sample_batch().columns.size(); ++i) {
            EXPECT_EQ(rows_of(*decoded->columns[i]), rows_of(*sample_batch().columns[i])) << i;
            EXPECT_EQ(decoded->columns[i]->type(), sample_batch().columns[i]->type());
        }
    }
}

TEST(BatchCodec, SendsSelectedRowsOnly) {
    Batch rows = sample_batch();
    rows.selection = std::make_shared<const Selection>(Selection{2});
    std::string bytes;
    encode_batch(rows, true, bytes);
    EXPECT_EQ(rows_of(*decode_batch(bytes)->columns[0]), (Rows{"-300000"}));
}

TEST(BatchCodec, RefusesDamagedBytes) {
    for (const bool compress : {false, true}) {
        std::string bytes;
        encode_batch(sample_batch(), compress, bytes);
        for (size_t size = 0; size < bytes.size(); ++size) {
            EXPECT_FALSE(decode_batch(std::string_view(bytes).substr(0, size)).ok());
        }
        std::mt19937 random(42);
        for (int round = 0; round < 20000; ++round) {
            std::string damaged = bytes;
            for (int i = 0; i < 3; ++i) {
                damaged[random() % damaged.size()] = static_cast<char>(random());
            }
            const Result<Batch> decoded = decode_batch(damaged);  // Any outcome but a crash.
            if (decoded.ok()) {
                for (const ColumnPtr& column : decoded->columns) {
                    rows_of(*slice(column, 0, std::min(column->size(), 8U)));
                }
            }
        }
    }
}

TEST(MemoryTracker, CountsBuffersOfItsScope) {
    auto process = MemoryTracker::create("process", 0);
    auto query = MemoryTracker::create("query", 1 << 20, process);
    {
        const MemoryScope scope(query);
        const auto buffer = Buffer::allocate(2 << 20);
        EXPECT_GE(query->used_bytes(), 2 << 20);
        EXPECT_GE(process->used_bytes(), 2 << 20);
        EXPECT_EQ(query->check().code(), ErrorCode::kMemLimitExceeded);
    }
    EXPECT_EQ(query->used_bytes(), 0);
    EXPECT_TRUE(query->check().ok());
    query = nullptr;
    EXPECT_EQ(process->used_bytes(), 0);
}

}  // namespace

}  // namespace thetis
