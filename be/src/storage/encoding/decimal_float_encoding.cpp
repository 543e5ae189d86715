// SPDX-License-Identifier: Apache-2.0
// Doubles that are decimal fractions of few digits, as integers (after Afroozeh, Kuffo and Boncz,
// "ALP: Adaptive Lossless floating-Point Compression", SIGMOD 2023, without exceptions: a page
// either is like that or it is not).
//   u32 digits after the point | u32 zero | a frame of i64: the values times 10^digits
#include <bit>
#include <cmath>
#include <cstring>

#include "storage/encoding/bit_packing.h"
#include "storage/encoding/frame.h"
#include "storage/encoding_registry.h"

namespace thetis {

namespace {

using bit_packing::kBlockRows;

constexpr size_t kHeadBytes = 8;
constexpr double kPowers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
/// Integers up to here are exact, and so is the one division that makes the value again.
constexpr double kMaxInteger = 2251799813685248.0;  // 2^51

bool supports(PhysicalType type) {
    return type == PhysicalType::kDouble;
}

bool scale(const double* values, uint32_t num_rows, double power, std::vector<int64_t>& integers) {
    for (uint32_t row = 0; row < num_rows; ++row) {
        const double scaled = std::nearbyint(values[row] * power);
        if (!(std::abs(scaled) < kMaxInteger)) {
            return false;
        }
        integers[row] = static_cast<int64_t>(scaled);
        const double again = static_cast<double>(integers[row]) / power;
        if (std::bit_cast<uint64_t>(again) != std::bit_cast<uint64_t>(values[row])) {
            return false;
        }
    }
    return true;
}

class DecimalFloatDecoder final : public PageDecoder {
public:
    DecimalFloatDecoder(frame::Reader<int64_t> integers, double power)
        : integers_(integers), power_(power) {}

    void decode(uint32_t first_row, uint32_t num_rows, void* values) const override {
        auto* target = static_cast<double*>(values);
        int64_t integers[kBlockRows];
        while (num_rows > 0) {
            const uint32_t count = std::min(kBlockRows - first_row % kBlockRows, num_rows);
            integers_.decode(first_row, count, integers);
            for (uint32_t i = 0; i < count; ++i) {
                target[i] = static_cast<double>(integers[i]) / power_;
            }
            first_row += count;
            target += count;
            num_rows -= count;
        }
    }

    void gather(uint32_t first_row, const uint16_t* positions, uint32_t num_positions, void* values)
        const override {
        auto* target = static_cast<double*>(values);
        std::vector<int64_t> integers(num_positions);
        integers_.gather(first_row, positions, num_positions, integers.data());
        for (uint32_t i = 0; i < num_positions; ++i) {
            target[i] = static_cast<double>(integers[i]) / power_;
        }
    }

private:
    const frame::Reader<int64_t> integers_;
    const double power_;
};

Status encode(const Column& column, std::vector<uint8_t>& output) {
    const uint32_t num_rows = column.size();
    std::vector<int64_t> integers(num_rows);
    for (uint32_t digits = 0; digits < std::size(kPowers); ++digits) {
        if (scale(column.values<double>(), num_rows, kPowers[digits], integers)) {
            const uint32_t head[2] = {digits, 0};
            const auto* bytes = reinterpret_cast<const uint8_t*>(head);
            output.insert(output.end(), bytes, bytes + kHeadBytes);
            frame::encode(integers.data(), num_rows, output);
            return {};
        }
    }
    return Status::error(ErrorCode::kInvalidArgument, "Not decimal fractions of few digits");
}

Result<std::unique_ptr<PageDecoder>> open(
    PhysicalType, uint32_t num_rows, std::span<const uint8_t> body
) {
    uint32_t digits = UINT32_MAX;
    if (body.size() >= kHeadBytes) {
        std::memcpy(&digits, body.data(), 4);
    }
    if (digits >= std::size(kPowers)) {
        return Status::error(
            ErrorCode::kCorruption, "{} values do not fit {} bytes", num_rows, body.size()
        );
    }
    ASSIGN_OR_RETURN(
        auto integers, frame::Reader<int64_t>::open(num_rows, body.subspan(kHeadBytes))
    );
    return std::unique_ptr<PageDecoder>(
        std::make_unique<DecimalFloatDecoder>(integers, kPowers[digits])
    );
}

}  // namespace

void register_decimal_float_encoding(EncodingRegistry& registry) {
    registry.add(
        {.id = EncodingId::kDecimalFloat,
         .name = "decimal_float",
         .supports = supports,
         .encode = encode,
         .open = open}
    );
}

}  // namespace thetis
