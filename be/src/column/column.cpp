// SPDX-License-Identifier: Apache-2.0
#include "column/column.h"

#include <bit>

#include "column/batch.h"

namespace thetis {

namespace validity {

std::shared_ptr<Buffer> all_valid(size_t num_rows) {
    auto buffer = Buffer::allocate(num_words(num_rows) * 8);
    std::memset(buffer->data(), 0xFF, buffer->capacity());
    return buffer;
}

size_t count_nulls(const uint64_t* words, size_t num_rows) {
    if (words == nullptr) {
        return 0;
    }
    size_t valid = 0;
    for (size_t i = 0; i < num_rows / 64; ++i) {
        valid += static_cast<size_t>(std::popcount(words[i]));
    }
    if (num_rows % 64 != 0) {
        const uint64_t mask = (uint64_t{1} << (num_rows % 64)) - 1;
        valid += static_cast<size_t>(std::popcount(words[num_rows / 64] & mask));
    }
    return num_rows - valid;
}

BufferPtr both(const BufferPtr& left, const BufferPtr& right, size_t num_rows) {
    if (left == nullptr || right == nullptr) {
        return left == nullptr ? right : left;
    }
    if (left == right) {
        return left;
    }
    const size_t words = num_words(num_rows);
    auto merged = Buffer::allocate(words * 8);
    auto* out = merged->as<uint64_t>();
    const auto* a = left->as<uint64_t>();
    const auto* b = right->as<uint64_t>();
    for (size_t i = 0; i < words; ++i) {
        out[i] = a[i] & b[i];
    }
    return merged;
}

}  // namespace validity

Column::Column(
    DataType type,
    ColumnForm form,
    uint32_t num_rows,
    BufferPtr values,
    BufferPtr valid,
    std::vector<BufferPtr> payloads,
    ColumnPtr base
)
    : type_(type),
      physical_(type.physical()),
      form_(form),
      num_rows_(num_rows),
      values_(std::move(values)),
      valid_(std::move(valid)),
      payloads_(std::move(payloads)),
      base_(std::move(base)) {}

ColumnPtr Column::flat(
    DataType type,
    uint32_t num_rows,
    BufferPtr values,
    BufferPtr valid,
    std::vector<BufferPtr> payloads
) {
    return std::make_shared<const Column>(
        type,
        ColumnForm::kFlat,
        num_rows,
        std::move(values),
        std::move(valid),
        std::move(payloads),
        nullptr
    );
}

ColumnPtr Column::constant(ColumnPtr value, uint32_t num_rows) {
    const DataType type = value->type();
    return std::make_shared<const Column>(
        type,
        ColumnForm::kConstant,
        num_rows,
        nullptr,
        nullptr,
        std::vector<BufferPtr>{},
        std::move(value)
    );
}

ColumnPtr Column::all_null(DataType type, uint32_t num_rows) {
    auto values = Buffer::zeroed(static_cast<size_t>(physical_size(type.physical())));
    auto valid = validity::all_valid(1);
    validity::set_null(valid->as<uint64_t>(), 0);
    type.nullable = true;
    return constant(flat(type, 1, std::move(values), std::move(valid)), num_rows);
}

ColumnPtr Column::dictionary(
    uint32_t num_rows, BufferPtr codes, BufferPtr valid, ColumnPtr dictionary
) {
    DataType type = dictionary->type();
    type.nullable = type.nullable || valid != nullptr;
    return std::make_shared<const Column>(
        type,
        ColumnForm::kDictionary,
        num_rows,
        std::move(codes),
        std::move(valid),
        std::vector<BufferPtr>{},
        std::move(dictionary)
    );
}

bool Column::may_have_nulls() const {
    return form_ == ColumnForm::kConstant ? base_->valid_ != nullptr : valid_ != nullptr;
}

bool Column::is_null(uint32_t row) const {
    return form_ == ColumnForm::kConstant ? !validity::is_valid(base_->valid_words(), 0)
                                          : !validity::is_valid(valid_words(), row);
}

namespace {

/// values[index(i)] for all i, by width only.
template <typename T, typename Index>
BufferPtr gather_values(const T* values, uint32_t num_rows, Index index) {
    auto buffer = Buffer::allocate(num_rows * sizeof(T));
    T* out = buffer->as<T>();
    for (uint32_t i = 0; i < num_rows; ++i) {
        out[i] = values[index(i)];
    }
    return buffer;
}

template <typename Index>
BufferPtr gather_width(const Column& column, int width, uint32_t num_rows, Index index) {
    switch (width) {
        case 1:
            return gather_values(column.values<uint8_t>(), num_rows, index);
        case 2:
            return gather_values(column.values<uint16_t>(), num_rows, index);
        case 4:
            return gather_values(column.values<uint32_t>(), num_rows, index);
        case 8:
            return gather_values(column.values<uint64_t>(), num_rows, index);
        default:
            return gather_values(column.values<int128_t>(), num_rows, index);
    }
}

template <typename Index>
BufferPtr gather_validity(const uint64_t* words, uint32_t num_rows, Index index) {
    if (words == nullptr) {
        return nullptr;
    }
    auto valid = validity::all_valid(num_rows);
    auto* out = valid->as<uint64_t>();
    bool any_null = false;
    for (uint32_t i = 0; i < num_rows; ++i) {
        if (!validity::is_valid(words, index(i))) {
            validity::set_null(out, i);
            any_null = true;
        }
    }
    return any_null ? BufferPtr(valid) : nullptr;
}

template <typename Index>
ColumnPtr gather_rows(const ColumnPtr& column, uint32_t num_rows, Index index) {
    switch (column->form()) {
        case ColumnForm::kConstant:
            return Column::constant(column->base(), num_rows);
        case ColumnForm::kDictionary:
            return Column::dictionary(
                num_rows,
                gather_values(column->codes(), num_rows, index),
                gather_validity(column->valid_words(), num_rows, index),
                column->base()
            );
        case ColumnForm::kFlat:
            break;
    }
    return Column::flat(
        column->type(),
        num_rows,
        gather_width(*column, physical_size(column->physical()), num_rows, index),
        gather_validity(column->valid_words(), num_rows, index),
        column->payloads()
    );
}

}  // namespace

ColumnPtr Column::flatten(const ColumnPtr& self) const {
    if (form_ == ColumnForm::kFlat) {
        return self;
    }
    const int width = physical_size(physical_);
    if (form_ == ColumnForm::kDictionary) {
        const uint32_t* row_codes = codes();
        return flat(
            type_,
            num_rows_,
            gather_width(
                *base_, width, num_rows_, [row_codes](uint32_t i) { return row_codes[i]; }
            ),
            valid_,
            base_->payloads()
        );
    }
    const auto first = [](uint32_t) { return 0; };
    BufferPtr valid;
    if (base_->is_null(0)) {
        auto nulls = Buffer::zeroed(validity::num_words(num_rows_) * 8);
        valid = std::move(nulls);
    }
    return flat(
        type_,
        num_rows_,
        gather_width(*base_, width, num_rows_, first),
        std::move(valid),
        base_->payloads()
    );
}

size_t Column::memory_bytes() const {
    size_t bytes = sizeof(Column) + (values_ == nullptr ? 0 : values_->size()) +
                   (valid_ == nullptr ? 0 : valid_->size());
    for (const BufferPtr& payload : payloads_) {
        bytes += payload->size();
    }
    return bytes + (base_ == nullptr ? 0 : base_->memory_bytes());
}

ColumnPtr gather(const ColumnPtr& column, const uint32_t* positions, uint32_t num_rows) {
    return gather_rows(column, num_rows, [positions](uint32_t i) { return positions[i]; });
}

ColumnPtr gather(const ColumnPtr& column, const uint16_t* positions, uint32_t num_rows) {
    return gather_rows(column, num_rows, [positions](uint32_t i) { return positions[i]; });
}

ColumnPtr gather_or_null(const ColumnPtr& column, const uint32_t* positions, uint32_t num_rows) {
    bool any_missing = false;
    bool any_present = false;
    for (uint32_t i = 0; i < num_rows; ++i) {
        const bool missing = positions[i] == kNullPosition;
        any_missing |= missing;
        any_present |= !missing;
    }
    if (!any_missing) {
        return gather(column, positions, num_rows);
    }
    DataType type = column->type();
    type.nullable = true;
    if (!any_present || column->size() == 0) {
        return Column::all_null(type, num_rows);
    }
    const ColumnPtr source =
        column->form() == ColumnForm::kConstant ? column->flatten(column) : column;
    const ColumnPtr rows = gather_rows(source, num_rows, [positions](uint32_t i) {
        return positions[i] == kNullPosition ? 0 : positions[i];
    });
    auto valid = rows->valid_buffer() == nullptr
                     ? validity::all_valid(num_rows)
                     : Buffer::copy_of(rows->valid_buffer()->data(), rows->valid_buffer()->size());
    for (uint32_t i = 0; i < num_rows; ++i) {
        if (positions[i] == kNullPosition) {
            validity::set_null(valid->as<uint64_t>(), i);
        }
    }
    if (rows->form() == ColumnForm::kDictionary) {
        return Column::dictionary(num_rows, rows->codes_buffer(), std::move(valid), rows->base());
    }
    return Column::flat(type, num_rows, rows->values_buffer(), std::move(valid), rows->payloads());
}

ColumnPtr slice(const ColumnPtr& column, uint32_t begin, uint32_t num_rows) {
    if (begin == 0 && num_rows == column->size()) {
        return column;
    }
    return gather_rows(column, num_rows, [begin](uint32_t i) { return begin + i; });
}

ColumnPtr concatenate(const std::vector<ColumnPtr>& columns) {
    if (columns.size() == 1) {
        return columns[0];
    }
    uint32_t num_rows = 0;
    bool shares_dictionary = true;
    bool has_nulls = false;
    bool nullable = false;
    for (const ColumnPtr& column : columns) {
        num_rows += column->size();
        has_nulls |= column->may_have_nulls();
        nullable |= column->type().nullable;
        shares_dictionary &=
            column->form() == ColumnForm::kDictionary && column->base() == columns[0]->base();
    }
    const size_t width =
        shares_dictionary ? 4 : static_cast<size_t>(physical_size(columns[0]->physical()));
    auto values = Buffer::allocate(num_rows * width);
    auto valid = has_nulls ? validity::all_valid(num_rows) : nullptr;
    std::vector<BufferPtr> payloads;
    uint32_t row = 0;
    for (const ColumnPtr& column : columns) {
        const ColumnPtr part = shares_dictionary ? column : column->flatten(column);
        std::memcpy(
            values->data() + row * width, part->values_buffer()->data(), part->size() * width
        );
        for (uint32_t i = 0; part->valid_words() != nullptr && i < part->size(); ++i) {
            if (part->is_null(i)) {
                validity::set_null(valid->as<uint64_t>(), row + i);
            }
        }
        for (const BufferPtr& payload : part->payloads()) {
            if (payloads.empty() || payloads.back() != payload) {
                payloads.push_back(payload);
            }
        }
        row += part->size();
    }
    if (shares_dictionary) {
        return Column::dictionary(
            num_rows, std::move(values), std::move(valid), columns[0]->base()
        );
    }
    DataType type = columns[0]->type();
    type.nullable = nullable;
    return Column::flat(type, num_rows, std::move(values), std::move(valid), std::move(payloads));
}

}  // namespace thetis
