// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "column/column.h"

namespace thetis {

using uint128_t = unsigned __int128;

/// How keys of several columns become one value that hash tables compare: packed into 8 or 16 bytes
/// when they fit, else bytes.
enum class KeyWidth : uint8_t { k8, k16, kBytes };

/// Layout of the keys of one table. Each column takes its physical width; a nullable column one
/// more byte that tells NULL from a value. `-0.0` and `0.0` are one key, so are all NaNs. Strings
/// make the key kBytes.
class KeyLayout {
public:
    /// `nullable[i]`: NULL of column i is a key like any other (group-by, `<=>`). Otherwise rows
    /// with NULL there must be left out by the caller and no byte is spent.
    KeyLayout(std::vector<DataType> types, std::vector<bool> nullable);

    KeyWidth width() const { return width_; }

    const std::vector<DataType>& types() const { return types_; }

    bool is_nullable(size_t column) const { return nullable_[column]; }

    uint32_t offset(size_t column) const { return offsets_[column]; }

private:
    std::vector<DataType> types_;
    std::vector<bool> nullable_;
    std::vector<uint32_t> offsets_;
    KeyWidth width_;
};

/// The keys and hashes of one batch. Reused from batch to batch; grows to the largest.
class KeyRows {
public:
    explicit KeyRows(const KeyLayout& layout) : layout_(layout) {}

    /// Packs rows `rows[0..num_rows)` (null: 0..num_rows) of the key columns and hashes them.
    /// Columns have the layout's types.
    void compute(std::span<const ColumnPtr> columns, const uint16_t* rows, uint32_t num_rows);

    uint32_t size() const { return num_rows_; }

    const uint64_t* hashes() const { return hashes_.data(); }

    /// By width: the packed keys. k8 keys are their hash before mixing.
    const uint64_t* keys8() const { return keys8_.data(); }

    const uint128_t* keys16() const { return keys16_.data(); }

    /// kBytes: key i is bytes [offsets()[i], offsets()[i + 1]) of bytes().
    const uint32_t* offsets() const { return offsets_.data(); }

    const uint8_t* bytes() const { return bytes_.data(); }

private:
    void compute_bytes(std::span<const ColumnPtr> columns, const uint16_t* rows);

    const KeyLayout& layout_;
    uint32_t num_rows_ = 0;
    std::vector<uint64_t> hashes_;
    std::vector<uint64_t> keys8_;
    std::vector<uint128_t> keys16_;
    std::vector<uint32_t> offsets_;
    std::vector<uint32_t> cursors_;
    std::vector<uint8_t> bytes_;
};

/// Turns packed keys back into columns: for group-by results.
class KeyUnpacker {
public:
    explicit KeyUnpacker(const KeyLayout& layout) : layout_(layout) {}

    std::vector<ColumnPtr> unpack8(const uint64_t* keys, uint32_t num_rows) const;
    std::vector<ColumnPtr> unpack16(const uint128_t* keys, uint32_t num_rows) const;
    /// Key i starts at `keys[i]`. Long strings are copied out.
    std::vector<ColumnPtr> unpack_bytes(const uint8_t* const* keys, uint32_t num_rows) const;

private:
    const KeyLayout& layout_;
};

}  // namespace thetis
