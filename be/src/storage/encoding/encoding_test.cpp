// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "column/builder.h"
#include "storage/encoding/frame.h"
#include "storage/encoding_registry.h"

namespace thetis {
namespace {

template <typename T>
void check_frame(const std::vector<T>& values) {
    std::vector<uint8_t> encoded;
    const auto count = static_cast<uint32_t>(values.size());
    frame::encode(values.data(), count, encoded);
    const auto body = Buffer::copy_of(encoded.data(), encoded.size());
    const auto reader = frame::Reader<T>::open(count, {body->data(), body->size()});
    ASSERT_TRUE(reader.ok()) << reader.status().to_string();
    std::vector<T> decoded(values.size());
    reader->decode(0, count, decoded.data());
    ASSERT_EQ(decoded, values);
    if (count > 10) {
        reader->decode(3, count - 7, decoded.data());
        ASSERT_TRUE(std::equal(values.begin() + 3, values.end() - 4, decoded.begin()));
        const std::vector<uint16_t> positions{0, 1, 5, static_cast<uint16_t>(count - 4)};
        reader->gather(3, positions.data(), 4, decoded.data());
        for (size_t i = 0; i < positions.size(); ++i) {
            ASSERT_EQ(decoded[i], values[3U + positions[i]]);
        }
    }
    // Every shorter body is refused.
    for (size_t size = 0; size < encoded.size(); size += 1 + encoded.size() / 50) {
        EXPECT_FALSE(frame::Reader<T>::open(count, {body->data(), size}).ok());
    }
}

template <typename T>
void check_widths() {
    std::mt19937_64 random(sizeof(T));
    constexpr int kBits = static_cast<int>(std::min<size_t>(sizeof(T) * 8, 64));
    for (int width = 0; width <= kBits; ++width) {
        for (const size_t count : {size_t{1}, size_t{100}, size_t{1024}, size_t{5000}}) {
            const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
            const auto base = static_cast<T>(random());
            std::vector<T> values(count);
            for (T& value : values) {
                value = static_cast<T>(static_cast<uint64_t>(base) + (random() & mask));
            }
            check_frame(values);
        }
    }
}

TEST(Frame, EveryWidthOfEveryType) {
    check_widths<uint8_t>();
    check_widths<int8_t>();
    check_widths<int16_t>();
    check_widths<int32_t>();
    check_widths<uint32_t>();
    check_widths<int64_t>();
    check_widths<int128_t>();
}

TEST(Frame, Extremes) {
    check_frame<int64_t>({INT64_MIN, INT64_MAX, 0, -1});
    check_frame<int64_t>(std::vector<int64_t>(2000, INT64_MIN));
    const auto max = static_cast<int128_t>(~static_cast<unsigned __int128>(0) >> 1);
    check_frame<int128_t>({max, -max - 1, 0, 1});
    check_frame<int128_t>({max, max - 5, max - 1});
    check_frame<int32_t>({});
}

TEST(Encodings, HostileBodiesAreRefusedOrDecodeInBounds) {
    std::mt19937 random(3);
    const EncodingRegistry& registry = EncodingRegistry::built_in();
    ColumnBuilder strings(DataType::varchar());
    ColumnBuilder ints(DataType::of(TypeId::kInt));
    for (int i = 0; i < 3000; ++i) {
        strings.append_string(std::string(random() % 40, 'x'));
        ints.append<int32_t>(static_cast<int32_t>(random() % 1000));
    }
    for (const ColumnPtr& column : {strings.finish(), ints.finish()}) {
        const bool is_string = column->physical() == PhysicalType::kString;
        const Encoding& encoding =
            registry.get(is_string ? EncodingId::kPlainString : EncodingId::kFrame);
        std::vector<uint8_t> encoded;
        ASSERT_TRUE(encoding.encode(*column, encoded).ok());
        for (int round = 0; round < 3000; ++round) {
            std::vector<uint8_t> damaged(encoded);
            for (uint32_t i = 0; i <= random() % 3; ++i) {
                damaged
                    [random() %
                     std::min<size_t>(damaged.size(), round % 2 == 0 ? 200 : damaged.size())] ^=
                    static_cast<uint8_t>(1 + random() % 255);
            }
            const auto body = Buffer::copy_of(damaged.data(), damaged.size());
            auto decoder =
                encoding.open(column->physical(), column->size(), {body->data(), body->size()});
            if (!decoder.ok()) {
                EXPECT_EQ(decoder.status().code(), ErrorCode::kCorruption);
                continue;
            }
            std::vector<StringRef> values(column->size());
            (*decoder)->decode(0, column->size(), values.data());
            if (is_string) {
                for (const StringRef& value : values) {
                    const auto* data = reinterpret_cast<const uint8_t*>(value.data());
                    ASSERT_TRUE(
                        value.is_inline() ||
                        (data >= body->data() && data + value.size() <= body->data() + body->size())
                    );
                }
            }
        }
    }
}

TEST(Encodings, UnknownOnesAreNotFound) {
    EXPECT_EQ(EncodingRegistry::built_in().find(0, PhysicalType::kInt32), nullptr);
    EXPECT_EQ(EncodingRegistry::built_in().find(200, PhysicalType::kInt32), nullptr);
    EXPECT_EQ(
        EncodingRegistry::built_in().find(
            static_cast<uint8_t>(EncodingId::kFrame), PhysicalType::kString
        ),
        nullptr
    );
}

/// Any window and any positions of a page give the values that went in; shorter bodies are refused.
template <typename T>
void check_page(EncodingId id, const DataType& type, const std::vector<T>& values) {
    const auto count = static_cast<uint32_t>(values.size());
    const Encoding& encoding = EncodingRegistry::built_in().get(id);
    std::vector<uint8_t> encoded;
    const ColumnPtr column =
        Column::flat(type, count, Buffer::copy_of(values.data(), values.size() * sizeof(T)));
    ASSERT_TRUE(encoding.encode(*column, encoded).ok());
    const auto body = Buffer::copy_of(encoded.data(), encoded.size());
    auto decoder = encoding.open(type.physical(), count, {body->data(), body->size()});
    ASSERT_TRUE(decoder.ok()) << decoder.status().to_string();
    std::mt19937 random(count);
    for (int round = 0; round < 20; ++round) {
        const uint32_t first = round == 0 ? 0 : random() % count;
        const uint32_t size = round == 0 ? count : 1 + random() % (count - first);
        std::vector<T> decoded(size);
        (*decoder)->decode(first, size, decoded.data());
        ASSERT_EQ(std::memcmp(decoded.data(), values.data() + first, size * sizeof(T)), 0);
        std::vector<uint16_t> positions;
        for (uint32_t i = random() % 5; i < size; i += 1 + random() % 400) {
            positions.push_back(static_cast<uint16_t>(i));
        }
        std::vector<T> gathered(positions.size());
        (*decoder)->gather(
            first, positions.data(), static_cast<uint32_t>(positions.size()), gathered.data()
        );
        for (size_t i = 0; i < positions.size(); ++i) {
            ASSERT_EQ(std::memcmp(&gathered[i], &values[first + positions[i]], sizeof(T)), 0);
            T alone;  // Single rows are taken another way.
            (*decoder)->gather(first, &positions[i], 1, &alone);
            ASSERT_EQ(std::memcmp(&alone, &gathered[i], sizeof(T)), 0);
        }
    }
    for (size_t size = 0; size < encoded.size(); size += 1 + encoded.size() / 50) {
        EXPECT_FALSE(encoding.open(type.physical(), count, {body->data(), size}).ok());
    }
}

TEST(Encodings, GiveBackWhatWentIn) {
    std::mt19937_64 random(4);
    for (const size_t count : {1, 2, 31, 32, 33, 64, 1000, 1023, 1024, 1025, 1060, 5000}) {
        std::vector<int64_t> growing(count);
        std::vector<int64_t> wild(count);
        std::vector<int16_t> runs(count);
        std::vector<double> prices(count);
        std::vector<double> reals(count);
        std::vector<float> floats(count);
        int64_t next = -50;
        for (size_t i = 0; i < count; ++i) {
            next += static_cast<int64_t>(random() % 9);
            growing[i] = next;
            wild[i] = static_cast<int64_t>(random());
            runs[i] = static_cast<int16_t>(i / 37 * 111);
            prices[i] =
                static_cast<double>(static_cast<int64_t>(random() % 2'000'001) - 1'000'000) / 1000;
            reals[i] = std::bit_cast<double>(random());
            floats[i] = static_cast<float>(random() % 1000) / 3;
        }
        check_page(EncodingId::kDelta, DataType::of(TypeId::kBigint, false), growing);
        check_page(EncodingId::kDelta, DataType::of(TypeId::kBigint, false), wild);
        check_page(EncodingId::kDelta, DataType::of(TypeId::kSmallint, false), runs);
        check_page(EncodingId::kRunLength, DataType::of(TypeId::kSmallint, false), runs);
        check_page(EncodingId::kRunLength, DataType::of(TypeId::kBigint, false), growing);
        check_page(EncodingId::kDecimalFloat, DataType::of(TypeId::kDouble, false), prices);
        check_page(EncodingId::kByteSplit, DataType::of(TypeId::kDouble, false), reals);
        check_page(EncodingId::kByteSplit, DataType::of(TypeId::kFloat, false), floats);
    }
}

TEST(Encodings, DecimalFloatRefusesWhatItCannotGiveBack) {
    const Encoding& encoding = EncodingRegistry::built_in().get(EncodingId::kDecimalFloat);
    for (const double value :
         {-0.0,
          std::numeric_limits<double>::quiet_NaN(),
          std::numeric_limits<double>::infinity(),
          1e300,
          1.0 / 3}) {
        const ColumnPtr column = Column::flat(
            DataType::of(TypeId::kDouble, false), 1, Buffer::copy_of(&value, sizeof(value))
        );
        std::vector<uint8_t> encoded;
        EXPECT_FALSE(encoding.encode(*column, encoded).ok()) << value;
    }
}

}  // namespace
}  // namespace thetis
