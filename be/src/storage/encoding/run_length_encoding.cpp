// SPDX-License-Identifier: Apache-2.0
//   u32 number of runs | u32 bytes of the ends | ends: a frame of u32, the row after each run |
//   values: a frame of one value per run
#include <algorithm>
#include <cstring>

#include "storage/encoding/frame.h"
#include "storage/encoding_registry.h"

namespace thetis {

namespace {

constexpr size_t kHeadBytes = 8;

bool supports(PhysicalType type) {
    return type != PhysicalType::kFloat && type != PhysicalType::kDouble &&
           type != PhysicalType::kString;
}

template <typename T>
inline constexpr bool kIsRunType = std::is_integral_v<T> || std::is_same_v<T, int128_t>;

/// Runs are few, so they are held unpacked.
template <typename T>
class RunDecoder final : public PageDecoder {
public:
    RunDecoder(std::vector<uint32_t> ends, std::vector<T> values)
        : ends_(std::move(ends)), values_(std::move(values)) {}

    void decode(uint32_t first_row, uint32_t num_rows, void* values) const override {
        auto* target = static_cast<T*>(values);
        const uint32_t end = first_row + num_rows;
        for (size_t run = run_of(first_row); first_row < end; ++run) {
            const uint32_t run_end = std::min(ends_[run], end);
            target = std::fill_n(target, run_end - first_row, values_[run]);
            first_row = run_end;
        }
    }

    void gather(uint32_t first_row, const uint16_t* positions, uint32_t num_positions, void* values)
        const override {
        auto* target = static_cast<T*>(values);
        size_t run = num_positions > 0 ? run_of(first_row + positions[0]) : 0;
        for (uint32_t i = 0; i < num_positions; ++i) {
            while (ends_[run] <= first_row + positions[i]) {
                ++run;
            }
            target[i] = values_[run];
        }
    }

private:
    size_t run_of(uint32_t row) const {
        return static_cast<size_t>(
            std::upper_bound(ends_.begin(), ends_.end(), row) - ends_.begin()
        );
    }

    const std::vector<uint32_t> ends_;
    const std::vector<T> values_;
};

template <typename T>
void encode_values(const T* values, uint32_t num_rows, std::vector<uint8_t>& output) {
    std::vector<uint32_t> ends;
    std::vector<T> run_values;
    for (uint32_t row = 0; row < num_rows; ++row) {
        if (row + 1 == num_rows || values[row + 1] != values[row]) {
            ends.push_back(row + 1);
            run_values.push_back(values[row]);
        }
    }
    const auto num_runs = static_cast<uint32_t>(ends.size());
    const size_t begin = output.size();
    output.resize(begin + kHeadBytes);
    frame::encode(ends.data(), num_runs, output);
    const auto ends_bytes = static_cast<uint32_t>(output.size() - begin - kHeadBytes);
    std::memcpy(output.data() + begin, &num_runs, 4);
    std::memcpy(output.data() + begin + 4, &ends_bytes, 4);
    frame::encode(run_values.data(), num_runs, output);
}

Status encode(const Column& column, std::vector<uint8_t>& output) {
    visit_physical(column.physical(), [&]<typename T>(T) {
        if constexpr (kIsRunType<T>) {
            encode_values(column.values<T>(), column.size(), output);
        }
    });
    return {};
}

Result<std::unique_ptr<PageDecoder>> open(
    PhysicalType type, uint32_t num_rows, std::span<const uint8_t> body
) {
    const auto misfit = [&] {
        return Status::error(
            ErrorCode::kCorruption, "Runs of {} rows do not fit {} bytes", num_rows, body.size()
        );
    };
    uint32_t head[2] = {0, 0};
    if (body.size() >= kHeadBytes) {
        std::memcpy(head, body.data(), kHeadBytes);
    }
    const auto [num_runs, ends_bytes] = head;
    if (body.size() < kHeadBytes || ends_bytes % 8 != 0 || ends_bytes > body.size() - kHeadBytes ||
        num_runs > num_rows) {
        return misfit();
    }
    ASSIGN_OR_RETURN(
        const auto end_reader,
        frame::Reader<uint32_t>::open(num_runs, body.subspan(kHeadBytes, ends_bytes))
    );
    std::vector<uint32_t> ends(num_runs);
    end_reader.decode(0, num_runs, ends.data());
    uint32_t last = 0;
    for (const uint32_t end : ends) {
        if (end <= last) {
            return misfit();
        }
        last = end;
    }
    if (last != num_rows) {
        return misfit();
    }
    return visit_physical(type, [&]<typename T>(T) -> Result<std::unique_ptr<PageDecoder>> {
        if constexpr (kIsRunType<T>) {
            ASSIGN_OR_RETURN(
                const auto reader,
                frame::Reader<T>::open(num_runs, body.subspan(kHeadBytes + ends_bytes))
            );
            std::vector<T> values(num_runs);
            reader.decode(0, num_runs, values.data());
            return std::unique_ptr<PageDecoder>(
                std::make_unique<RunDecoder<T>>(std::move(ends), std::move(values))
            );
        } else {
            return Status::error(ErrorCode::kInternal, "Runs are of integers only");
        }
    });
}

}  // namespace

void register_run_length_encoding(EncodingRegistry& registry) {
    registry.add(
        {.id = EncodingId::kRunLength,
         .name = "run_length",
         .supports = supports,
         .encode = encode,
         .open = open}
    );
}

}  // namespace thetis
