// SPDX-License-Identifier: Apache-2.0
// Integers that mostly grow: each value of a block of 1024 as its difference from the one 32 places
// before, so that 32 sums run side by side.
//   u32 bytes of the starts | u32 zero | starts: a frame of the first 32 values of every block |
//   a frame of the differences (those of the first 32 values repeat the 33rd's, or are zero)
#include <algorithm>
#include <cstring>

#include "storage/encoding/bit_packing.h"
#include "storage/encoding/frame.h"
#include "storage/encoding_registry.h"

namespace thetis {

namespace {

using bit_packing::kBlockRows;

constexpr uint32_t kLanes = 32;
constexpr size_t kHeadBytes = 8;

bool supports(PhysicalType type) {
    return type == PhysicalType::kInt16 || type == PhysicalType::kInt32 ||
           type == PhysicalType::kInt64;
}

template <typename T>
inline constexpr bool kIsDeltaType =
    std::is_same_v<T, int16_t> || std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>;

template <typename T>
T add(T left, T right) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(
        static_cast<Unsigned>(static_cast<Unsigned>(left) + static_cast<Unsigned>(right))
    );
}

template <typename T>
T subtract(T left, T right) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(
        static_cast<Unsigned>(static_cast<Unsigned>(left) - static_cast<Unsigned>(right))
    );
}

/// Values of all blocks before `block` take so many starts; the last block may be short.
uint32_t num_starts(uint32_t num_rows) {
    const uint32_t whole = num_rows / kBlockRows * kLanes;
    return whole + std::min(num_rows % kBlockRows, kLanes);
}

template <typename T>
class DeltaDecoder final : public PageDecoder {
public:
    DeltaDecoder(frame::Reader<T> starts, frame::Reader<T> differences)
        : starts_(starts), differences_(differences) {}

    void decode(uint32_t first_row, uint32_t num_rows, void* values) const override {
        auto* target = static_cast<T*>(values);
        T block_values[kBlockRows];
        while (num_rows > 0) {
            const uint32_t skip = first_row % kBlockRows;
            const uint32_t count = std::min(kBlockRows - skip, num_rows);
            const bool is_direct = count == kBlockRows;
            decode_block(first_row / kBlockRows, skip + count, is_direct ? target : block_values);
            if (!is_direct) {
                std::memcpy(target, block_values + skip, count * sizeof(T));
            }
            first_row += count;
            target += count;
            num_rows -= count;
        }
    }

    void gather(uint32_t first_row, const uint16_t* positions, uint32_t num_positions, void* values)
        const override {
        auto* target = static_cast<T*>(values);
        T block_values[kBlockRows];
        for (uint32_t i = 0; i < num_positions;) {
            const uint32_t block = (first_row + positions[i]) / kBlockRows;
            const uint32_t begin = block * kBlockRows;
            decode_block(
                block, std::min(kBlockRows, differences_.num_values() - begin), block_values
            );
            for (; i < num_positions && first_row + positions[i] - begin < kBlockRows; ++i) {
                target[i] = block_values[first_row + positions[i] - begin];
            }
        }
    }

private:
    /// The block's first `num_rows` values.
    void decode_block(uint32_t block, uint32_t num_rows, T* values) const {
        differences_.decode(block * kBlockRows, num_rows, values);
        starts_.decode(block * kLanes, std::min(num_rows, kLanes), values);
        for (uint32_t row = kLanes; row + kLanes <= num_rows; row += kLanes) {
            for (uint32_t lane = 0; lane < kLanes; ++lane) {
                values[row + lane] = add(values[row + lane], values[row + lane - kLanes]);
            }
        }
        for (uint32_t row = std::max(num_rows / kLanes * kLanes, kLanes); row < num_rows; ++row) {
            values[row] = add(values[row], values[row - kLanes]);
        }
    }

    const frame::Reader<T> starts_;
    const frame::Reader<T> differences_;
};

template <typename T>
void encode_values(const T* values, uint32_t num_rows, std::vector<uint8_t>& output) {
    std::vector<T> starts;
    std::vector<T> differences(num_rows);
    starts.reserve(num_starts(num_rows));
    for (uint32_t begin = 0; begin < num_rows; begin += kBlockRows) {
        const uint32_t end = std::min(begin + kBlockRows, num_rows);
        const uint32_t start_end = std::min(begin + kLanes, end);
        starts.insert(starts.end(), values + begin, values + start_end);
        for (uint32_t row = start_end; row < end; ++row) {
            differences[row] = subtract(values[row], values[row - kLanes]);
        }
        const T filler = start_end < end ? differences[start_end] : T{0};
        std::fill(differences.begin() + begin, differences.begin() + start_end, filler);
    }
    const size_t begin = output.size();
    output.resize(begin + kHeadBytes);
    frame::encode(starts.data(), static_cast<uint32_t>(starts.size()), output);
    const auto starts_bytes = static_cast<uint32_t>(output.size() - begin - kHeadBytes);
    std::memcpy(output.data() + begin, &starts_bytes, 4);
    frame::encode(differences.data(), num_rows, output);
}

Status encode(const Column& column, std::vector<uint8_t>& output) {
    visit_physical(column.physical(), [&]<typename T>(T) {
        if constexpr (kIsDeltaType<T>) {
            encode_values(column.values<T>(), column.size(), output);
        }
    });
    return {};
}

Result<std::unique_ptr<PageDecoder>> open(
    PhysicalType type, uint32_t num_rows, std::span<const uint8_t> body
) {
    uint32_t starts_bytes = 0;
    if (body.size() >= kHeadBytes) {
        std::memcpy(&starts_bytes, body.data(), 4);
    }
    if (body.size() < kHeadBytes || starts_bytes % 8 != 0 ||
        starts_bytes > body.size() - kHeadBytes) {
        return Status::error(
            ErrorCode::kCorruption, "{} differences do not fit {} bytes", num_rows, body.size()
        );
    }
    return visit_physical(type, [&]<typename T>(T) -> Result<std::unique_ptr<PageDecoder>> {
        if constexpr (kIsDeltaType<T>) {
            ASSIGN_OR_RETURN(
                auto starts,
                frame::Reader<T>::open(num_starts(num_rows), body.subspan(kHeadBytes, starts_bytes))
            );
            ASSIGN_OR_RETURN(
                auto differences,
                frame::Reader<T>::open(num_rows, body.subspan(kHeadBytes + starts_bytes))
            );
            return std::unique_ptr<PageDecoder>(
                std::make_unique<DeltaDecoder<T>>(starts, differences)
            );
        } else {
            return Status::error(ErrorCode::kInternal, "Differences are of integers only");
        }
    });
}

}  // namespace

void register_delta_encoding(EncodingRegistry& registry) {
    registry.add(
        {.id = EncodingId::kDelta,
         .name = "delta",
         .supports = supports,
         .encode = encode,
         .open = open}
    );
}

}  // namespace thetis
