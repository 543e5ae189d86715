// SPDX-License-Identifier: Apache-2.0
#include "column/sort_key.h"

#include <cmath>

namespace thetis {

namespace {

template <typename T>
auto ordered_bits(T value) {
    if constexpr (std::is_same_v<T, float>) {
        const auto bits = std::bit_cast<uint32_t>(
            value == 0 ? 0.0F : (value != value ? std::numeric_limits<float>::quiet_NaN() : value)
        );
        return (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
    } else if constexpr (std::is_same_v<T, double>) {
        const auto bits = std::bit_cast<uint64_t>(
            value == 0 ? 0.0 : (value != value ? std::numeric_limits<double>::quiet_NaN() : value)
        );
        return (bits >> 63) != 0 ? ~bits : bits | 0x8000000000000000ULL;
    } else if constexpr (std::is_same_v<T, uint8_t>) {
        return value;
    } else if constexpr (sizeof(T) == 16) {
        return static_cast<unsigned __int128>(value) ^ (static_cast<unsigned __int128>(1) << 127);
    } else {
        using Unsigned = std::make_unsigned_t<T>;
        return static_cast<Unsigned>(
            static_cast<Unsigned>(value) ^ static_cast<Unsigned>(Unsigned{1} << (sizeof(T) * 8 - 1))
        );
    }
}

template <typename Bits>
void store_big_endian(char* out, Bits bits) {
    if constexpr (sizeof(Bits) == 1) {
        *out = static_cast<char>(bits);
    } else if constexpr (sizeof(Bits) == 2) {
        bits = __builtin_bswap16(bits);
        std::memcpy(out, &bits, 2);
    } else if constexpr (sizeof(Bits) == 4) {
        bits = __builtin_bswap32(bits);
        std::memcpy(out, &bits, 4);
    } else if constexpr (sizeof(Bits) == 8) {
        bits = __builtin_bswap64(bits);
        std::memcpy(out, &bits, 8);
    } else {
        store_big_endian(out, static_cast<uint64_t>(bits >> 64));
        store_big_endian(out + 8, static_cast<uint64_t>(bits));
    }
}

/// 0x00 before values when nulls are last, after otherwise; never inverted: nulls_first already
/// says where they go.
char null_marker(bool is_null, SortOrder order) {
    return is_null == order.nulls_first ? '\x00' : '\x01';
}

size_t encoded_string_bytes(std::string_view text) {
    return text.size() + static_cast<size_t>(std::count(text.begin(), text.end(), '\0')) + 2;
}

char* encode_string(char* out, std::string_view text, bool ascending) {
    const char flip = ascending ? '\x00' : '\xFF';
    for (char c : text) {
        *out++ = static_cast<char>(c ^ flip);
        if (c == '\0') {
            *out++ = static_cast<char>('\xFF' ^ flip);
        }
    }
    *out++ = flip;
    *out++ = flip;
    return out;
}

template <typename T>
char* encode_fixed(char* out, T value, bool ascending) {
    auto bits = ordered_bits(value);
    store_big_endian(out, ascending ? bits : static_cast<decltype(bits)>(~bits));
    return out + sizeof(T);
}

uint32_t value_bytes(const DataType& type) {
    return static_cast<uint32_t>(physical_size(type.physical()));
}

}  // namespace

uint64_t SortKeys::prefix(uint32_t row) const {
    const std::string_view key = (*this)[row];
    uint64_t word = 0;
    std::memcpy(&word, key.data(), std::min<size_t>(8, key.size()));
    return __builtin_bswap64(word);
}

SortKeyEncoder::SortKeyEncoder(std::vector<DataType> types, std::vector<SortOrder> orders)
    : types_(std::move(types)), orders_(std::move(orders)), fixed_bytes_(0) {
    orders_.resize(types_.size());
    for (const DataType& type : types_) {
        if (type.is_string()) {
            fixed_bytes_ = 0;
            return;
        }
        fixed_bytes_ += 1 + value_bytes(type);
    }
}

void SortKeyEncoder::encode(
    std::span<const ColumnPtr> columns,
    const Selection* selection,
    uint32_t num_rows,
    SortKeys& keys
) const {
    const auto count = selection == nullptr ? num_rows : static_cast<uint32_t>(selection->size());
    const auto row_of = [selection](uint32_t i) {
        return selection == nullptr ? i : (*selection)[i];
    };

    // Sizes first, so that every key is written in place.
    std::vector<uint64_t>& offsets = keys.offsets();
    const size_t first = offsets.size() - 1;
    offsets.resize(offsets.size() + count);
    uint64_t fixed = 0;
    for (const DataType& type : types_) {
        fixed += 1 + (type.is_string() ? 0 : value_bytes(type));
    }
    std::vector<uint64_t> sizes(count, fixed);
    for (const ColumnPtr& column : columns) {
        if (column->physical() == PhysicalType::kString) {
            const ColumnView<StringRef> view(*column);
            for (uint32_t i = 0; i < count; ++i) {
                sizes[i] +=
                    view.is_valid(row_of(i)) ? encoded_string_bytes(view[row_of(i)].view()) : 0;
            }
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        offsets[first + i + 1] = offsets[first + i] + sizes[i];
    }
    keys.bytes().resize(offsets.back());

    // Then column by column; `next` is where each key goes on.
    std::vector<char*> next(count);
    for (uint32_t i = 0; i < count; ++i) {
        next[i] = keys.bytes().data() + offsets[first + i];
    }
    for (size_t c = 0; c < columns.size(); ++c) {
        const SortOrder order = orders_[c];
        visit_physical(columns[c]->physical(), [&](auto tag) {
            using T = decltype(tag);
            const ColumnView<T> view(*columns[c]);
            for (uint32_t i = 0; i < count; ++i) {
                const uint32_t row = row_of(i);
                const bool is_null = !view.is_valid(row);
                *next[i]++ = null_marker(is_null, order);
                if constexpr (std::is_same_v<T, StringRef>) {
                    if (!is_null) {
                        next[i] = encode_string(next[i], view[row].view(), order.ascending);
                    }
                } else {
                    next[i] = encode_fixed(next[i], is_null ? T{} : view[row], order.ascending);
                }
            }
        });
    }
}

std::string SortKeyEncoder::encode_row(std::span<const Scalar> values) const {
    std::string key;
    for (size_t c = 0; c < values.size(); ++c) {
        const Scalar& value = values[c];
        key += null_marker(value.is_null(), orders_[c]);
        if (types_[c].is_string()) {
            if (!value.is_null()) {
                const size_t at = key.size();
                key.resize(at + encoded_string_bytes(value.as_text()));
                encode_string(key.data() + at, value.as_text(), orders_[c].ascending);
            }
            continue;
        }
        const size_t at = key.size();
        key.resize(at + value_bytes(types_[c]));
        visit_physical(types_[c].physical(), [&](auto tag) {
            using T = decltype(tag);
            if constexpr (!std::is_same_v<T, StringRef>) {
                encode_fixed(
                    key.data() + at, value.is_null() ? T{} : value.get<T>(), orders_[c].ascending
                );
            }
        });
    }
    return key;
}

bool SortKeyEncoder::encode_packed(std::string_view packed, std::string& key) const {
    const char* at = packed.data();
    const char* const end = at + packed.size();
    // Only zero bytes of strings grow, to twice their size; a length is longer than an end.
    const size_t begin = key.size();
    key.resize(begin + 2 * packed.size() + types_.size());
    char* out = key.data() + begin;
    for (size_t c = 0; c < types_.size(); ++c) {
        *out++ = null_marker(false, orders_[c]);
        const bool fits = visit_physical(types_[c].physical(), [&]<typename T>(T) {
            const auto left = static_cast<size_t>(end - at);
            if constexpr (std::is_same_v<T, StringRef>) {
                uint32_t size = 0;
                if (left < sizeof(size)) {
                    return false;
                }
                std::memcpy(&size, at, sizeof(size));
                at += sizeof(size);
                if (size > left - sizeof(size)) {
                    return false;
                }
                out = encode_string(out, {at, size}, orders_[c].ascending);
                at += size;
            } else {
                T value;
                if (left < sizeof(value)) {
                    return false;
                }
                std::memcpy(&value, at, sizeof(value));
                at += sizeof(value);
                out = encode_fixed(out, value, orders_[c].ascending);
            }
            return true;
        });
        if (!fits) {
            return false;
        }
    }
    key.resize(static_cast<size_t>(out - key.data()));
    return at == end;
}

}  // namespace thetis
