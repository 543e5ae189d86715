// SPDX-License-Identifier: Apache-2.0
#include "storage/encoding_registry.h"

namespace thetis {

namespace {

bool supports(PhysicalType type) {
    return type != PhysicalType::kString;
}

template <typename T>
class PlainDecoder final : public PageDecoder {
public:
    explicit PlainDecoder(const uint8_t* body) : body_(body) {}

    void decode(uint32_t first_row, uint32_t num_rows, void* values) const override {
        std::memcpy(values, body_ + first_row * sizeof(T), num_rows * sizeof(T));
    }

    void gather(uint32_t first_row, const uint16_t* positions, uint32_t num_positions, void* values)
        const override {
        auto* target = static_cast<uint8_t*>(values);
        for (uint32_t i = 0; i < num_positions; ++i) {
            std::memcpy(
                target + i * sizeof(T), body_ + (first_row + positions[i]) * sizeof(T), sizeof(T)
            );
        }
    }

private:
    const uint8_t* body_;  // Outlives this, see Encoding::open.
};

Status encode(const Column& column, std::vector<uint8_t>& output) {
    const auto* bytes = column.values<uint8_t>();
    output.insert(
        output.end(),
        bytes,
        bytes + static_cast<size_t>(column.size()) *
                    static_cast<size_t>(physical_size(column.physical()))
    );
    return {};
}

Result<std::unique_ptr<PageDecoder>> open(
    PhysicalType type, uint32_t num_rows, std::span<const uint8_t> body
) {
    if (body.size() != static_cast<size_t>(num_rows) * static_cast<size_t>(physical_size(type))) {
        return Status::error(
            ErrorCode::kCorruption, "{} plain values cannot take {} bytes", num_rows, body.size()
        );
    }
    return visit_physical(type, [&]<typename T>(T) -> Result<std::unique_ptr<PageDecoder>> {
        return std::unique_ptr<PageDecoder>(std::make_unique<PlainDecoder<T>>(body.data()));
    });
}

}  // namespace

void register_plain_encoding(EncodingRegistry& registry) {
    registry.add(
        {.id = EncodingId::kPlain,
         .name = "plain",
         .supports = supports,
         .encode = encode,
         .open = open}
    );
}

}  // namespace thetis
