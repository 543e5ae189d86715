// SPDX-License-Identifier: Apache-2.0
#include "storage/encoding/frame.h"
#include "storage/encoding_registry.h"

namespace thetis {

namespace {

bool supports(PhysicalType type) {
    return type != PhysicalType::kFloat && type != PhysicalType::kDouble &&
           type != PhysicalType::kString;
}

template <typename T>
class FrameDecoder final : public PageDecoder {
public:
    explicit FrameDecoder(frame::Reader<T> reader) : reader_(reader) {}

    void decode(uint32_t first_row, uint32_t num_rows, void* values) const override {
        reader_.decode(first_row, num_rows, static_cast<T*>(values));
    }

    void gather(uint32_t first_row, const uint16_t* positions, uint32_t num_positions, void* values)
        const override {
        reader_.gather(first_row, positions, num_positions, static_cast<T*>(values));
    }

private:
    const frame::Reader<T> reader_;
};

template <typename T>
inline constexpr bool kIsFrameType = std::is_integral_v<T> || std::is_same_v<T, int128_t>;

Status encode(const Column& column, std::vector<uint8_t>& output) {
    visit_physical(column.physical(), [&]<typename T>(T) {
        if constexpr (kIsFrameType<T>) {
            frame::encode(column.values<T>(), column.size(), output);
        }
    });
    return {};
}

Result<std::unique_ptr<PageDecoder>> open(
    PhysicalType type, uint32_t num_rows, std::span<const uint8_t> body
) {
    return visit_physical(type, [&]<typename T>(T) -> Result<std::unique_ptr<PageDecoder>> {
        if constexpr (kIsFrameType<T>) {
            ASSIGN_OR_RETURN(auto reader, frame::Reader<T>::open(num_rows, body));
            return std::unique_ptr<PageDecoder>(std::make_unique<FrameDecoder<T>>(reader));
        } else {
            return Status::error(ErrorCode::kInternal, "Frames hold integers only");
        }
    });
}

}  // namespace

void register_frame_encoding(EncodingRegistry& registry) {
    registry.add(
        {.id = EncodingId::kFrame,
         .name = "frame",
         .supports = supports,
         .encode = encode,
         .open = open}
    );
}

}  // namespace thetis
