// SPDX-License-Identifier: Apache-2.0
// Floating point as one plane per byte of the value: sign and exponent bytes, which repeat, stand
// together for the compressor.
//   all first bytes | all second bytes | ...
#include <cstring>

#include "storage/encoding_registry.h"

namespace thetis {

namespace {

bool supports(PhysicalType type) {
    return type == PhysicalType::kFloat || type == PhysicalType::kDouble;
}

template <typename Word>
class ByteSplitDecoder final : public PageDecoder {
public:
    ByteSplitDecoder(const uint8_t* planes, uint32_t num_rows)
        : planes_(planes), num_rows_(num_rows) {}

    void decode(uint32_t first_row, uint32_t num_rows, void* values) const override {
        auto* target = static_cast<Word*>(values);
        for (uint32_t i = 0; i < num_rows; ++i) {
            target[i] = join(first_row + i);
        }
    }

    void gather(uint32_t first_row, const uint16_t* positions, uint32_t num_positions, void* values)
        const override {
        auto* target = static_cast<Word*>(values);
        for (uint32_t i = 0; i < num_positions; ++i) {
            target[i] = join(first_row + positions[i]);
        }
    }

private:
    Word join(uint32_t row) const {
        Word word = 0;
        for (size_t plane = 0; plane < sizeof(Word); ++plane) {
            word |= static_cast<Word>(planes_[plane * num_rows_ + row]) << (plane * 8);
        }
        return word;
    }

    const uint8_t* planes_;  // Outlives this, see Encoding::open.
    const size_t num_rows_;
};

Status encode(const Column& column, std::vector<uint8_t>& output) {
    const auto width = static_cast<size_t>(physical_size(column.physical()));
    const size_t num_rows = column.size();
    const auto* bytes = column.values<uint8_t>();
    const size_t begin = output.size();
    output.resize(begin + num_rows * width);
    for (size_t plane = 0; plane < width; ++plane) {
        uint8_t* target = output.data() + begin + plane * num_rows;
        for (size_t row = 0; row < num_rows; ++row) {
            target[row] = bytes[row * width + plane];
        }
    }
    return {};
}

Result<std::unique_ptr<PageDecoder>> open(
    PhysicalType type, uint32_t num_rows, std::span<const uint8_t> body
) {
    if (body.size() != static_cast<size_t>(num_rows) * static_cast<size_t>(physical_size(type))) {
        return Status::error(
            ErrorCode::kCorruption, "{} values cannot take {} bytes", num_rows, body.size()
        );
    }
    if (type == PhysicalType::kFloat) {
        return std::unique_ptr<PageDecoder>(
            std::make_unique<ByteSplitDecoder<uint32_t>>(body.data(), num_rows)
        );
    }
    return std::unique_ptr<PageDecoder>(
        std::make_unique<ByteSplitDecoder<uint64_t>>(body.data(), num_rows)
    );
}

}  // namespace

void register_byte_split_encoding(EncodingRegistry& registry) {
    registry.add(
        {.id = EncodingId::kByteSplit,
         .name = "byte_split",
         .supports = supports,
         .encode = encode,
         .open = open}
    );
}

}  // namespace thetis
