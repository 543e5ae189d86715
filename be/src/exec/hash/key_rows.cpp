// SPDX-License-Identifier: Apache-2.0
#include "exec/hash/key_rows.h"

#include <cmath>
#include <cstring>

#include "base/hash.h"
#include "exec/hash/hash_mix.h"

namespace thetis {

namespace {

template <typename T>
T canonical(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        if (value == T{0}) {
            return T{0};
        }
        if (std::isnan(value)) {
            return std::numeric_limits<T>::quiet_NaN();
        }
    }
    return value;
}

/// A value as an unsigned number of its own width.
template <typename Word, typename T>
Word to_word(T value) {
    value = canonical(value);
    if constexpr (sizeof(T) == 1) {
        return static_cast<Word>(static_cast<uint8_t>(value));
    } else if constexpr (sizeof(T) == 2) {
        return static_cast<Word>(static_cast<uint16_t>(value));
    } else if constexpr (sizeof(T) == 4) {
        return static_cast<Word>(std::bit_cast<uint32_t>(value));
    } else if constexpr (sizeof(T) == 8) {
        return static_cast<Word>(std::bit_cast<uint64_t>(value));
    } else {
        return static_cast<Word>(static_cast<uint128_t>(value));
    }
}

// Ors the column's value (and NULL byte) into the keys at its bit offset.
template <typename Word, typename T>
void pack_column(
    const Column& column,
    bool nullable,
    uint32_t shift,
    const uint16_t* rows,
    uint32_t num_rows,
    Word* keys
) {
    ColumnView<T> view(column);
    uint32_t null_shift = shift + static_cast<uint32_t>(sizeof(T)) * 8;
    auto null_bit = [&] { return static_cast<Word>(1) << null_shift; };
    const T* flat = view.flat_values();
    if (flat != nullptr && rows == nullptr && !view.may_have_nulls()) {
        for (uint32_t i = 0; i < num_rows; ++i) {
            keys[i] |= to_word<Word>(flat[i]) << shift;
        }
        return;
    }
    if (!view.may_have_nulls()) {
        for (uint32_t i = 0; i < num_rows; ++i) {
            keys[i] |= to_word<Word>(view[rows == nullptr ? i : rows[i]]) << shift;
        }
        return;
    }
    for (uint32_t i = 0; i < num_rows; ++i) {
        uint32_t row = rows == nullptr ? i : rows[i];
        if (view.is_valid(row)) {
            keys[i] |= to_word<Word>(view[row]) << shift;
        } else if (nullable) {
            keys[i] |= null_bit();
        }
    }
}

template <typename Word>
void pack_all(
    const KeyLayout& layout,
    std::span<const ColumnPtr> columns,
    const uint16_t* rows,
    uint32_t num_rows,
    std::vector<Word>& keys
) {
    if (keys.size() < num_rows) {
        keys.resize(num_rows);
    }
    std::fill_n(keys.begin(), num_rows, Word{0});
    for (size_t c = 0; c < columns.size(); ++c) {
        visit_physical(columns[c]->physical(), [&](auto tag) {
            using T = decltype(tag);
            if constexpr (!std::is_same_v<T, StringRef> && sizeof(T) <= sizeof(Word)) {
                pack_column<Word, T>(
                    *columns[c],
                    layout.is_nullable(c),
                    layout.offset(c) * 8,
                    rows,
                    num_rows,
                    keys.data()
                );
            }
        });
    }
}

template <typename Word, typename T>
ColumnPtr unpack_column(
    const DataType& type, bool nullable, uint32_t shift, const Word* keys, uint32_t num_rows
) {
    auto values = Buffer::allocate(num_rows * sizeof(T));
    T* out = values->as<T>();
    for (uint32_t i = 0; i < num_rows; ++i) {
        if constexpr (sizeof(T) == 16) {
            out[i] = static_cast<T>(static_cast<uint128_t>(keys[i]) >> shift);
        } else if constexpr (sizeof(T) == 8) {
            out[i] = std::bit_cast<T>(static_cast<uint64_t>(keys[i] >> shift));
        } else if constexpr (sizeof(T) == 4) {
            out[i] = std::bit_cast<T>(static_cast<uint32_t>(keys[i] >> shift));
        } else {
            out[i] = static_cast<T>(keys[i] >> shift);
        }
    }
    BufferPtr valid;
    if (nullable) {
        uint32_t null_shift = shift + static_cast<uint32_t>(sizeof(T)) * 8;
        std::shared_ptr<Buffer> bits;
        for (uint32_t i = 0; i < num_rows; ++i) {
            if (((keys[i] >> null_shift) & 1) != 0) {
                if (bits == nullptr) {
                    bits = validity::all_valid(num_rows);
                }
                validity::set_null(bits->as<uint64_t>(), i);
            }
        }
        valid = bits;
    }
    return Column::flat(type, num_rows, std::move(values), std::move(valid));
}

template <typename Word>
std::vector<ColumnPtr> unpack_all(const KeyLayout& layout, const Word* keys, uint32_t num_rows) {
    std::vector<ColumnPtr> columns;
    for (size_t c = 0; c < layout.types().size(); ++c) {
        const DataType& type = layout.types()[c];
        columns.push_back(visit_physical(type.physical(), [&](auto tag) -> ColumnPtr {
            using T = decltype(tag);
            if constexpr (!std::is_same_v<T, StringRef> && sizeof(T) <= sizeof(Word)) {
                return unpack_column<Word, T>(
                    type, layout.is_nullable(c), layout.offset(c) * 8, keys, num_rows
                );
            }
            return nullptr;
        }));
    }
    return columns;
}

// Byte keys: [null byte, if nullable] value, strings as 4-byte length and bytes.
template <typename T>
void add_sizes(
    const Column& column, bool nullable, const uint16_t* rows, uint32_t num_rows, uint32_t* sizes
) {
    ColumnView<T> view(column);
    for (uint32_t i = 0; i < num_rows; ++i) {
        uint32_t row = rows == nullptr ? i : rows[i];
        sizes[i] += nullable ? 1 : 0;
        if (!view.is_valid(row)) {
            continue;
        }
        if constexpr (std::is_same_v<T, StringRef>) {
            sizes[i] += 4 + view[row].size();
        } else {
            sizes[i] += static_cast<uint32_t>(sizeof(T));
        }
    }
}

template <typename T>
void append_values(
    const Column& column,
    bool nullable,
    const uint16_t* rows,
    uint32_t num_rows,
    uint8_t* bytes,
    uint32_t* cursors
) {
    ColumnView<T> view(column);
    for (uint32_t i = 0; i < num_rows; ++i) {
        uint32_t row = rows == nullptr ? i : rows[i];
        bool is_valid = view.is_valid(row);
        uint8_t* out = bytes + cursors[i];
        if (nullable) {
            *out++ = is_valid ? 0 : 1;
        }
        if (is_valid) {
            if constexpr (std::is_same_v<T, StringRef>) {
                const StringRef& text = view[row];
                uint32_t size = text.size();
                std::memcpy(out, &size, 4);
                std::memcpy(out + 4, text.data(), size);
                out += 4 + size;
            } else {
                T value = canonical(view[row]);
                std::memcpy(out, &value, sizeof(T));
                out += sizeof(T);
            }
        }
        cursors[i] = static_cast<uint32_t>(out - bytes);
    }
}

template <typename T>
ColumnPtr take_values(
    const DataType& type, bool nullable, uint32_t num_rows, std::vector<const uint8_t*>& cursors
) {
    auto values = Buffer::zeroed(num_rows * sizeof(T));
    T* out = values->as<T>();
    std::shared_ptr<Buffer> bits;
    size_t long_bytes = 0;
    for (uint32_t i = 0; i < num_rows; ++i) {
        const uint8_t*& at = cursors[i];
        if (nullable && *at++ != 0) {
            if (bits == nullptr) {
                bits = validity::all_valid(num_rows);
            }
            validity::set_null(bits->as<uint64_t>(), i);
            continue;
        }
        if constexpr (std::is_same_v<T, StringRef>) {
            uint32_t size;
            std::memcpy(&size, at, 4);
            out[i] = StringRef(reinterpret_cast<const char*>(at) + 4, size);
            long_bytes += size > StringRef::kInlineBytes ? size : 0;
            at += 4 + size;
        } else {
            std::memcpy(&out[i], at, sizeof(T));
            at += sizeof(T);
        }
    }
    std::vector<BufferPtr> payloads;
    if constexpr (std::is_same_v<T, StringRef>) {
        if (long_bytes > 0) {
            auto payload = Buffer::allocate(long_bytes);
            char* to = payload->as<char>();
            for (uint32_t i = 0; i < num_rows; ++i) {
                if (!out[i].is_inline()) {
                    std::memcpy(to, out[i].data(), out[i].size());
                    out[i] = StringRef(to, out[i].size());
                    to += out[i].size();
                }
            }
            payloads.push_back(std::move(payload));
        }
    }
    return Column::flat(type, num_rows, std::move(values), std::move(bits), std::move(payloads));
}

}  // namespace

KeyLayout::KeyLayout(std::vector<DataType> types, std::vector<bool> nullable)
    : types_(std::move(types)), nullable_(std::move(nullable)) {
    uint32_t size = 0;
    bool has_string = false;
    for (size_t i = 0; i < types_.size(); ++i) {
        offsets_.push_back(size);
        has_string |= types_[i].physical() == PhysicalType::kString;
        size += static_cast<uint32_t>(physical_size(types_[i].physical())) + (nullable_[i] ? 1 : 0);
    }
    width_ = has_string || size > 16 ? KeyWidth::kBytes : (size > 8 ? KeyWidth::k16 : KeyWidth::k8);
}

void KeyRows::compute(std::span<const ColumnPtr> columns, const uint16_t* rows, uint32_t num_rows) {
    num_rows_ = num_rows;
    if (hashes_.size() < num_rows) {
        hashes_.resize(num_rows);
    }
    switch (layout_.width()) {
        case KeyWidth::k8:
            pack_all(layout_, columns, rows, num_rows, keys8_);
            for (uint32_t i = 0; i < num_rows; ++i) {
                hashes_[i] = hash_mix::bijective(keys8_[i]);
            }
            return;
        case KeyWidth::k16:
            pack_all(layout_, columns, rows, num_rows, keys16_);
            for (uint32_t i = 0; i < num_rows; ++i) {
                hashes_[i] = hash_mix::wide(keys16_[i]);
            }
            return;
        case KeyWidth::kBytes:
            compute_bytes(columns, rows);
            return;
    }
}

void KeyRows::compute_bytes(std::span<const ColumnPtr> columns, const uint16_t* rows) {
    cursors_.assign(num_rows_, 0);
    auto each_column = [&](auto&& action) {
        for (size_t c = 0; c < columns.size(); ++c) {
            visit_physical(columns[c]->physical(), [&](auto tag) {
                action(tag, *columns[c], layout_.is_nullable(c));
            });
        }
    };
    each_column([&](auto tag, const Column& column, bool nullable) {
        add_sizes<decltype(tag)>(column, nullable, rows, num_rows_, cursors_.data());
    });
    offsets_.resize(num_rows_ + 1);
    uint32_t total = 0;
    for (uint32_t i = 0; i < num_rows_; ++i) {
        offsets_[i] = total;
        total += cursors_[i];
        cursors_[i] = offsets_[i];
    }
    offsets_[num_rows_] = total;
    bytes_.resize(total + 16);
    each_column([&](auto tag, const Column& column, bool nullable) {
        append_values<decltype(tag)>(
            column, nullable, rows, num_rows_, bytes_.data(), cursors_.data()
        );
    });
    for (uint32_t i = 0; i < num_rows_; ++i) {
        hashes_[i] = hash_bytes(bytes_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]);
    }
}

std::vector<ColumnPtr> KeyUnpacker::unpack8(const uint64_t* keys, uint32_t num_rows) const {
    return unpack_all(layout_, keys, num_rows);
}

std::vector<ColumnPtr> KeyUnpacker::unpack16(const uint128_t* keys, uint32_t num_rows) const {
    return unpack_all(layout_, keys, num_rows);
}

std::vector<ColumnPtr> KeyUnpacker::unpack_bytes(const uint8_t* const* keys, uint32_t num_rows)
    const {
    std::vector<const uint8_t*> cursors(keys, keys + num_rows);
    std::vector<ColumnPtr> columns;
    for (size_t c = 0; c < layout_.types().size(); ++c) {
        const DataType& type = layout_.types()[c];
        columns.push_back(visit_physical(type.physical(), [&](auto tag) {
            return take_values<decltype(tag)>(type, layout_.is_nullable(c), num_rows, cursors);
        }));
    }
    return columns;
}

}  // namespace thetis
