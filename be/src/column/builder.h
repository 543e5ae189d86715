// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "column/batch.h"
#include "column/column.h"
#include "column/scalar.h"

namespace thetis {

/// Builds one flat column row by row or run by run. Not thread-safe. Any number of rows.
class ColumnBuilder {
public:
    explicit ColumnBuilder(DataType type, uint32_t expected_rows = 0);

    const DataType& type() const { return type_; }

    uint32_t size() const { return num_rows_; }

    void reserve(uint32_t num_rows);

    /// T is the physical C++ type (bool: uint8_t); not for strings.
    template <typename T>
    void append(T value) {
        static_assert(!std::is_same_v<T, StringRef>);
        grow_by(1);
        values_->as<T>()[num_rows_++] = value;
    }

    /// Copies the bytes.
    void append_string(std::string_view text);

    /// Does not copy: long bytes must lie in a buffer given to keep_alive, or in one that lives as
    /// long as the column.
    void append_reference(StringRef text) {
        grow_by(1);
        values_->as<StringRef>()[num_rows_++] = text;
    }

    void keep_alive(BufferPtr payload) { payloads_.push_back(std::move(payload)); }

    void append_null();
    /// `num_rows` nulls, or zeroes and empty strings.
    void append_nulls(uint32_t num_rows);
    void append_defaults(uint32_t num_rows);
    void append_scalar(const Scalar& value);

    /// Rows of a column of the same physical type, in any form; long strings are copied.
    void append_from(const Column& column, uint32_t begin, uint32_t num_rows);
    void append_from(const Column& column, const uint32_t* positions, uint32_t num_rows);
    void append_from(const Column& column, const uint16_t* positions, uint32_t num_rows);

    /// Raw room for `num_rows` more values, which the caller fills; they are valid until set_null.
    template <typename T>
    T* append_uninitialized(uint32_t num_rows) {
        grow_by(num_rows);
        T* begin = values_->as<T>() + num_rows_;
        num_rows_ += num_rows;
        return begin;
    }

    /// Two-step string append for kernels that know only a bound: write up to `max_bytes` at
    /// begin_string's result, then say how many. Nothing else may be appended in between.
    char* begin_string(size_t max_bytes) {
        if (static_cast<size_t>(payload_end_ - payload_next_) < max_bytes) {
            new_payload(max_bytes);
        }
        return payload_next_;
    }

    void end_string(size_t size_bytes) {
        grow_by(1);
        values_->as<StringRef>()[num_rows_++] =
            StringRef(payload_next_, static_cast<uint32_t>(size_bytes));
        if (size_bytes > StringRef::kInlineBytes) {
            payload_next_ += size_bytes;
        }
    }

    void set_null(uint32_t row);

    bool has_nulls() const { return valid_ != nullptr; }

    template <typename T>
    T* values() {
        return values_->as<T>();
    }

    size_t memory_bytes() const;

    /// The column; the builder is empty again.
    ColumnPtr finish();

private:
    void grow_by(uint32_t num_rows) {
        if (num_rows_ + num_rows > capacity_rows_) [[unlikely]] {
            grow(num_rows_ + num_rows);
        }
    }

    void grow(uint32_t num_rows);
    void new_payload(size_t min_bytes);
    StringRef copy_bytes(StringRef text);
    void ensure_validity();
    template <typename Position>
    void append_positions(const Column& column, const Position* positions, uint32_t num_rows);

    DataType type_;
    uint32_t value_bytes_;
    bool is_string_;
    uint32_t num_rows_ = 0;
    uint32_t capacity_rows_ = 0;
    std::shared_ptr<Buffer> values_;
    std::shared_ptr<Buffer> valid_;  // Null until the first null; then room for capacity_rows_,
                                     // bits past num_rows_ set.
    std::vector<BufferPtr> payloads_;
    std::shared_ptr<Buffer> payload_;
    char* payload_next_ = nullptr;
    char* payload_end_ = nullptr;
    size_t payload_bytes_ = 0;
};

/// One builder per column of a batch.
std::vector<ColumnBuilder> make_builders(
    std::span<const DataType> types, uint32_t expected_rows = 0
);
/// Finishes all builders, which have equally many rows.
Batch finish_batch(std::vector<ColumnBuilder>& builders);

}  // namespace thetis
