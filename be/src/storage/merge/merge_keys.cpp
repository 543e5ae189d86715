// SPDX-License-Identifier: Apache-2.0
#include "storage/merge/merge_keys.h"

#include <bit>

namespace thetis {

namespace {

/// Unsigned bits that order like the value.
template <typename T>
auto ordered_bits(T value) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
        const T canonical =
            value == 0 ? T{0} : (value != value ? std::numeric_limits<T>::quiet_NaN() : value);
        const auto bits = std::bit_cast<Bits>(canonical);
        constexpr Bits kSign = Bits{1} << (sizeof(T) * 8 - 1);
        return static_cast<Bits>((bits & kSign) != 0 ? ~bits : bits | kSign);
    } else if constexpr (sizeof(T) == 16) {
        return static_cast<WideKey>(value) ^ (WideKey{1} << 127);
    } else if constexpr (std::is_unsigned_v<T>) {
        return value;
    } else {
        using Bits = std::make_unsigned_t<T>;
        return static_cast<Bits>(static_cast<Bits>(value) ^ Bits{1} << (sizeof(T) * 8 - 1));
    }
}

}  // namespace

uint32_t packed_key_bits(std::span<const DataType> types) {
    uint32_t bits = 0;
    for (const DataType& type : types) {
        if (type.is_string()) {
            return 0;
        }
        bits += static_cast<uint32_t>(physical_size(type.physical())) * 8 + (type.nullable ? 1 : 0);
    }
    return bits;
}

template <typename Key>
void pack_keys(
    std::span<const DataType> types,
    std::span<const ColumnPtr> columns,
    uint32_t num_rows,
    std::vector<Key>& keys
) {
    keys.assign(num_rows, 0);
    for (size_t i = 0; i < columns.size(); ++i) {
        visit_physical(types[i].physical(), [&]<typename T>(T) {
            if constexpr (!std::is_same_v<T, StringRef> && sizeof(T) <= sizeof(Key)) {
                const ColumnPtr flat = columns[i]->flatten(columns[i]);
                const T* values = flat->template values<T>();
                if (types[i].nullable) {
                    const uint64_t* valid = flat->valid_words();
                    for (uint32_t row = 0; row < num_rows; ++row) {
                        keys[row] = keys[row] << 1 | (validity::is_valid(valid, row) ? 1 : 0);
                    }
                }
                for (uint32_t row = 0; row < num_rows; ++row) {
                    if constexpr (sizeof(T) == sizeof(Key)) {
                        keys[row] = ordered_bits(values[row]);
                    } else {
                        keys[row] = keys[row] << (sizeof(T) * 8) | ordered_bits(values[row]);
                    }
                }
            }
        });
    }
}

template void pack_keys<
    uint64_t>(std::span<const DataType>, std::span<const ColumnPtr>, uint32_t, std::vector<uint64_t>&);
template void pack_keys<
    WideKey>(std::span<const DataType>, std::span<const ColumnPtr>, uint32_t, std::vector<WideKey>&);

void pack_sequences(const ColumnPtr& column, uint32_t num_rows, std::vector<WideKey>& keys) {
    keys.resize(num_rows);
    visit_physical(column->physical(), [&]<typename T>(T) {
        if constexpr (!std::is_same_v<T, StringRef>) {
            const ColumnView<T> view(*column);
            for (uint32_t row = 0; row < num_rows; ++row) {
                keys[row] = view.is_valid(row) ? WideKey{ordered_bits(view[row])} : WideKey{0};
            }
        }
    });
}

void encode_keys(
    const SortKeyEncoder& encoder,
    std::span<const ColumnPtr> columns,
    uint32_t num_rows,
    SortKeys& bytes,
    std::vector<ByteKey>& keys
) {
    bytes.clear();
    encoder.encode(columns, nullptr, num_rows, bytes);
    keys.resize(num_rows);
    for (uint32_t row = 0; row < num_rows; ++row) {
        const std::string_view key = bytes[row];
        keys[row] = {bytes.prefix(row), key.data(), static_cast<uint32_t>(key.size())};
    }
}

}  // namespace thetis
