// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "column/buffer.h"
#include "types/data_type.h"
#include "types/string_ref.h"

namespace thetis {

class Column;
using ColumnPtr = std::shared_ptr<const Column>;

/// Flat: one value per row. Constant: one value for all rows. Dictionary: 32-bit codes into a flat
/// column of values.
enum class ColumnForm : uint8_t { kFlat, kConstant, kDictionary };

/// Bit per row, 64 rows per word, 1 = valid. Absent (null pointer) when every row is valid.
namespace validity {
inline size_t num_words(size_t num_rows) {
    return (num_rows + 63) / 64;
}

inline bool is_valid(const uint64_t* words, size_t row) {
    return words == nullptr || ((words[row >> 6] >> (row & 63)) & 1) != 0;
}

inline void set_null(uint64_t* words, size_t row) {
    words[row >> 6] &= ~(uint64_t{1} << (row & 63));
}

inline void set_valid(uint64_t* words, size_t row) {
    words[row >> 6] |= uint64_t{1} << (row & 63);
}

/// All rows valid; bits past num_rows are set too.
std::shared_ptr<Buffer> all_valid(size_t num_rows);
size_t count_nulls(const uint64_t* words, size_t num_rows);
/// AND of two bitmaps, either may be null; null when both are.
BufferPtr both(const BufferPtr& left, const BufferPtr& right, size_t num_rows);
}  // namespace validity

/// One typed run of values, immutable once built and shared by pointer. Values under nulls are
/// defined (zero or empty), so kernels may compute on all rows and combine validity afterwards.
/// String bytes longer than 12 live in `payloads`.
class Column {
public:
    /// `values`: num_rows * physical_size bytes. `valid` may be null. `payloads` keep long string
    /// bytes alive.
    static ColumnPtr flat(
        DataType type,
        uint32_t num_rows,
        BufferPtr values,
        BufferPtr valid = nullptr,
        std::vector<BufferPtr> payloads = {}
    );
    /// All `num_rows` rows hold row 0 of `value`, a flat column of one row.
    static ColumnPtr constant(ColumnPtr value, uint32_t num_rows);
    static ColumnPtr all_null(DataType type, uint32_t num_rows);
    /// `codes`: uint32 per row, each below dictionary->size() (also under nulls). `dictionary` is
    /// flat and has no nulls.
    static ColumnPtr dictionary(
        uint32_t num_rows, BufferPtr codes, BufferPtr valid, ColumnPtr dictionary
    );

    const DataType& type() const { return type_; }

    PhysicalType physical() const { return physical_; }

    ColumnForm form() const { return form_; }

    uint32_t size() const { return num_rows_; }

    /// Flat: the values. T is the physical C++ type (bool: uint8_t).
    template <typename T>
    const T* values() const {
        return values_->as<T>();
    }

    const BufferPtr& values_buffer() const { return values_; }

    /// Flat and dictionary: null pointer when no row is null. Constant: ask base()->valid_words()
    /// for row 0.
    const uint64_t* valid_words() const {
        return valid_ == nullptr ? nullptr : valid_->as<uint64_t>();
    }

    const BufferPtr& valid_buffer() const { return valid_; }

    const std::vector<BufferPtr>& payloads() const { return payloads_; }

    /// Dictionary: the codes.
    const uint32_t* codes() const { return values_->as<uint32_t>(); }

    const BufferPtr& codes_buffer() const { return values_; }

    /// Constant: the one-row column. Dictionary: the values the codes point at.
    const ColumnPtr& base() const { return base_; }

    bool may_have_nulls() const;
    bool is_null(uint32_t row) const;

    /// The same values as a flat column (this one when it is flat already).
    ColumnPtr flatten(const ColumnPtr& self) const;

    /// Bytes this column keeps alive that no other column in `payloads` order shares; an estimate
    /// for memory accounting.
    size_t memory_bytes() const;

    Column(
        DataType type,
        ColumnForm form,
        uint32_t num_rows,
        BufferPtr values,
        BufferPtr valid,
        std::vector<BufferPtr> payloads,
        ColumnPtr base
    );

private:
    DataType type_;
    PhysicalType physical_;
    ColumnForm form_;
    uint32_t num_rows_;
    BufferPtr values_;
    BufferPtr valid_;
    std::vector<BufferPtr> payloads_;
    ColumnPtr base_;
};

/// Uniform reading of any form: `view[row]` and `view.is_valid(row)`. For kernels that do not
/// specialise on the form; built once per batch, a shift-free index per row. Holds pointers into
/// the column, which must outlive it.
template <typename T>
class ColumnView {
public:
    explicit ColumnView(const Column& column)
        : values_(
              (column.form() == ColumnForm::kFlat ? column : *column.base()).template values<T>()
          ),
          codes_(column.form() == ColumnForm::kDictionary ? column.codes() : nullptr),
          valid_(
              column.form() == ColumnForm::kConstant ? column.base()->valid_words()
                                                     : column.valid_words()
          ),
          is_constant_(column.form() == ColumnForm::kConstant) {}

    const T& operator[](size_t row) const { return values_[index(row)]; }

    bool is_valid(size_t row) const { return validity::is_valid(valid_, is_constant_ ? 0 : row); }

    bool may_have_nulls() const { return valid_ != nullptr; }

    bool is_constant() const { return is_constant_; }

    /// Flat: direct pointer; null for other forms.
    const T* flat_values() const { return codes_ == nullptr && !is_constant_ ? values_ : nullptr; }

private:
    size_t index(size_t row) const {
        return is_constant_ ? 0 : (codes_ != nullptr ? codes_[row] : row);
    }

    const T* values_;
    const uint32_t* codes_;
    const uint64_t* valid_;
    bool is_constant_;
};

}  // namespace thetis
