// SPDX-License-Identifier: Apache-2.0
//   u32 bytes of the packed lengths | u32 zero | packed lengths (frame of u32) | per block of 1024:
//   u32 start of its bytes, then u32 end of all (padded to 8) | the bytes
#include <algorithm>

#include "storage/encoding/bit_packing.h"
#include "storage/encoding/frame.h"
#include "storage/encoding_registry.h"

namespace thetis {

namespace {

using bit_packing::kBlockRows;

constexpr size_t kHeadBytes = 8;

bool supports(PhysicalType type) {
    return type == PhysicalType::kString;
}

uint32_t num_blocks(uint32_t num_rows) {
    return (num_rows + kBlockRows - 1) / kBlockRows;
}

size_t starts_bytes(uint32_t num_rows) {
    return (static_cast<size_t>(num_blocks(num_rows)) + 2) / 2 * 8;
}

/// What StringRef(data, size) makes, without a branch on the bytes' length: 16 bytes may be read
/// from any position of a page.
inline void make_view(const uint8_t* data, uint32_t size, uint64_t* view) {
    uint32_t prefix;
    uint64_t tail;
    std::memcpy(&prefix, data, 4);
    std::memcpy(&tail, data + 4, 8);
    const uint32_t prefix_bytes = std::min<uint32_t>(size, 4);
    const uint32_t tail_bytes = std::min<uint32_t>(size - prefix_bytes, 8);
    const auto prefix_mask = static_cast<uint32_t>((uint64_t{1} << (8 * prefix_bytes)) - 1);
    const uint64_t tail_mask =
        tail_bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * tail_bytes)) - 1;
    view[0] = size | static_cast<uint64_t>(prefix & prefix_mask) << 32;
    view[1] = size > StringRef::kInlineBytes ? reinterpret_cast<uint64_t>(data) : tail & tail_mask;
}

class PlainStringDecoder final : public PageDecoder {
public:
    PlainStringDecoder(
        frame::Reader<uint32_t> lengths, const uint32_t* starts, const uint8_t* bytes
    )
        : lengths_(lengths), starts_(starts), bytes_(bytes) {}

    void decode(uint32_t first_row, uint32_t num_rows, void* values) const override {
        auto* views = static_cast<uint64_t*>(values);
        uint32_t lengths[kBlockRows];
        while (num_rows > 0) {
            const uint32_t block = first_row / kBlockRows;
            const uint32_t skip = first_row % kBlockRows;
            const uint32_t count = std::min(kBlockRows - skip, num_rows);
            const uint8_t* data = open_block(block, skip + count, lengths);
            for (uint32_t i = 0; i < skip; ++i) {
                data += lengths[i];
            }
            for (uint32_t i = skip; i < skip + count; ++i, views += 2) {
                make_view(data, lengths[i], views);
                data += lengths[i];
            }
            first_row += count;
            num_rows -= count;
        }
    }

    void gather(uint32_t first_row, const uint16_t* positions, uint32_t num_positions, void* values)
        const override {
        auto* views = static_cast<uint64_t*>(values);
        uint32_t lengths[kBlockRows];
        for (uint32_t i = 0; i < num_positions;) {
            const uint32_t block = (first_row + positions[i]) / kBlockRows;
            const uint32_t begin = block * kBlockRows;
            const uint32_t available = std::min(kBlockRows, lengths_.num_values() - begin);
            const uint8_t* data = open_block(block, available, lengths);
            for (uint32_t row = 0;
                 i < num_positions && first_row + positions[i] - begin < kBlockRows;
                 ++i, views += 2) {
                for (const uint32_t target = first_row + positions[i] - begin; row < target;
                     ++row) {
                    data += lengths[row];
                }
                make_view(data, lengths[row], views);
            }
        }
    }

private:
    const uint8_t* open_block(uint32_t block, uint32_t num_rows, uint32_t* lengths) const {
        lengths_.decode(block * kBlockRows, num_rows, lengths);
        return bytes_ + starts_[block];
    }

    const frame::Reader<uint32_t> lengths_;
    const uint32_t* starts_;  // These two point into the body, see Encoding::open.
    const uint8_t* bytes_;
};

Status encode(const Column& column, std::vector<uint8_t>& output) {
    const auto* values = column.values<StringRef>();
    const uint32_t num_rows = column.size();
    std::vector<uint32_t> lengths(num_rows);
    std::vector<uint32_t> starts(starts_bytes(num_rows) / 4);
    uint64_t total = 0;
    for (uint32_t i = 0; i < num_rows; ++i) {
        if (i % kBlockRows == 0) {
            starts[i / kBlockRows] = static_cast<uint32_t>(total);
        }
        lengths[i] = values[i].size();
        total += lengths[i];
    }
    if (total > UINT32_MAX / 2) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "{} strings of {} bytes are too large for one page",
            num_rows,
            total
        );
    }
    starts[num_blocks(num_rows)] = static_cast<uint32_t>(total);

    const size_t begin = output.size();
    output.resize(begin + kHeadBytes);
    frame::encode(lengths.data(), num_rows, output);
    const auto lengths_bytes = static_cast<uint32_t>(output.size() - begin - kHeadBytes);
    std::memcpy(output.data() + begin, &lengths_bytes, 4);
    const auto* starts_data = reinterpret_cast<const uint8_t*>(starts.data());
    output.insert(output.end(), starts_data, starts_data + starts_bytes(num_rows));
    size_t position = output.size();
    output.resize(position + total);
    for (uint32_t i = 0; i < num_rows; ++i) {
        std::memcpy(output.data() + position, values[i].data(), lengths[i]);
        position += lengths[i];
    }
    return {};
}

Result<std::unique_ptr<PageDecoder>> open(
    PhysicalType, uint32_t num_rows, std::span<const uint8_t> body
) {
    const auto misfit = [&] {
        return Status::error(
            ErrorCode::kCorruption,
            "{} strings do not fit a body of {} bytes",
            num_rows,
            body.size()
        );
    };
    if (body.size() < kHeadBytes) {
        return misfit();
    }
    uint32_t lengths_bytes;
    std::memcpy(&lengths_bytes, body.data(), 4);
    if (lengths_bytes % 8 != 0 ||
        body.size() - kHeadBytes < lengths_bytes + starts_bytes(num_rows)) {
        return misfit();
    }
    ASSIGN_OR_RETURN(
        auto lengths,
        frame::Reader<uint32_t>::open(num_rows, body.subspan(kHeadBytes, lengths_bytes))
    );
    const auto* starts =
        reinterpret_cast<const uint32_t*>(body.data() + kHeadBytes + lengths_bytes);
    const size_t bytes_begin = kHeadBytes + lengths_bytes + starts_bytes(num_rows);

    // Every length counts here, so that decoding never needs to check.
    uint64_t total = 0;
    uint32_t block_lengths[kBlockRows];
    for (uint32_t block = 0; block < num_blocks(num_rows); ++block) {
        if (starts[block] != total) {
            return misfit();
        }
        const uint32_t count = std::min(kBlockRows, num_rows - block * kBlockRows);
        lengths.decode(block * kBlockRows, count, block_lengths);
        for (uint32_t i = 0; i < count; ++i) {
            total += block_lengths[i];
        }
    }
    if (starts[num_blocks(num_rows)] != total || body.size() - bytes_begin != total) {
        return misfit();
    }
    return std::unique_ptr<PageDecoder>(
        std::make_unique<PlainStringDecoder>(lengths, starts, body.data() + bytes_begin)
    );
}

}  // namespace

void register_plain_string_encoding(EncodingRegistry& registry) {
    registry.add(
        {.id = EncodingId::kPlainString,
         .name = "plain_string",
         .supports = supports,
         .encode = encode,
         .open = open}
    );
}

}  // namespace thetis
