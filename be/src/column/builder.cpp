// SPDX-License-Identifier: Apache-2.0
#include "column/builder.h"

namespace thetis {

namespace {

constexpr size_t kFirstPayloadBytes = 4096;
constexpr size_t kMaxPayloadBytes = size_t{1} << 20;

}  // namespace

ColumnBuilder::ColumnBuilder(DataType type, uint32_t expected_rows)
    : type_(type),
      value_bytes_(static_cast<uint32_t>(physical_size(type.physical()))),
      is_string_(type.physical() == PhysicalType::kString) {
    if (expected_rows > 0) {
        grow(expected_rows);
    }
}

void ColumnBuilder::reserve(uint32_t num_rows) {
    if (num_rows > capacity_rows_) {
        grow(num_rows);
    }
}

void ColumnBuilder::grow(uint32_t num_rows) {
    const uint32_t capacity = std::max({num_rows, capacity_rows_ * 2, 16U});
    auto values = Buffer::allocate(size_t{capacity} * value_bytes_);
    if (num_rows_ > 0) {
        std::memcpy(values->data(), values_->data(), size_t{num_rows_} * value_bytes_);
    }
    values_ = std::move(values);
    if (valid_ != nullptr) {
        auto valid = validity::all_valid(capacity);
        std::memcpy(valid->data(), valid_->data(), validity::num_words(num_rows_) * 8);
        valid_ = std::move(valid);
    }
    capacity_rows_ = capacity;
}

void ColumnBuilder::ensure_validity() {
    if (valid_ == nullptr) {
        valid_ = validity::all_valid(std::max(capacity_rows_, 1U));
    }
}

void ColumnBuilder::new_payload(size_t min_bytes) {
    const size_t next = std::min(kMaxPayloadBytes, std::max(kFirstPayloadBytes, payload_bytes_));
    payload_ = Buffer::allocate(std::max(min_bytes, next));
    payloads_.push_back(payload_);
    payload_bytes_ += payload_->size();
    payload_next_ = reinterpret_cast<char*>(payload_->data());
    payload_end_ = payload_next_ + payload_->size();
}

void ColumnBuilder::append_string(std::string_view text) {
    if (text.size() <= StringRef::kInlineBytes) {
        append_reference(
            text.empty() ? StringRef() : StringRef(text)
        );  // An empty view may have no address.
        return;
    }
    char* bytes = begin_string(text.size());
    std::memcpy(bytes, text.data(), text.size());
    end_string(text.size());
}

StringRef ColumnBuilder::copy_bytes(StringRef text) {
    if (text.is_inline()) {
        return text;
    }
    char* bytes = begin_string(text.size());
    std::memcpy(bytes, text.data(), text.size());
    payload_next_ += text.size();
    return {bytes, text.size()};
}

void ColumnBuilder::append_null() {
    append_nulls(1);
}

void ColumnBuilder::append_nulls(uint32_t num_rows) {
    const uint32_t begin = num_rows_;
    append_defaults(num_rows);
    ensure_validity();
    for (uint32_t i = 0; i < num_rows; ++i) {
        validity::set_null(valid_->as<uint64_t>(), begin + i);
    }
}

void ColumnBuilder::append_defaults(uint32_t num_rows) {
    grow_by(num_rows);
    std::memset(
        values_->data() + size_t{num_rows_} * value_bytes_, 0, size_t{num_rows} * value_bytes_
    );
    num_rows_ += num_rows;
}

void ColumnBuilder::append_scalar(const Scalar& value) {
    if (value.is_null()) {
        append_null();
    } else if (is_string_) {
        append_string(value.as_text());
    } else {
        visit_physical(type_.physical(), [&](auto tag) {
            using T = decltype(tag);
            if constexpr (!std::is_same_v<T, StringRef>) {
                append(value.get<T>());
            }
        });
    }
}

void ColumnBuilder::set_null(uint32_t row) {
    ensure_validity();
    validity::set_null(valid_->as<uint64_t>(), row);
}

template <typename Position>
void ColumnBuilder::append_positions(
    const Column& column, const Position* positions, uint32_t num_rows
) {
    grow_by(num_rows);
    const uint32_t begin = num_rows_;
    num_rows_ += num_rows;
    visit_physical(type_.physical(), [&](auto tag) {
        using T = decltype(tag);
        const ColumnView<T> view(column);
        T* out = values_->as<T>() + begin;
        for (uint32_t i = 0; i < num_rows; ++i) {
            if constexpr (std::is_same_v<T, StringRef>) {
                out[i] = copy_bytes(view[positions[i]]);
            } else {
                out[i] = view[positions[i]];
            }
        }
        if (view.may_have_nulls()) {
            for (uint32_t i = 0; i < num_rows; ++i) {
                if (!view.is_valid(positions[i])) {
                    set_null(begin + i);
                }
            }
        }
    });
}

void ColumnBuilder::append_from(
    const Column& column, const uint32_t* positions, uint32_t num_rows
) {
    append_positions(column, positions, num_rows);
}

void ColumnBuilder::append_from(
    const Column& column, const uint16_t* positions, uint32_t num_rows
) {
    append_positions(column, positions, num_rows);
}

void ColumnBuilder::append_from(const Column& column, uint32_t begin, uint32_t num_rows) {
    if (column.form() == ColumnForm::kFlat && !is_string_ && column.valid_words() == nullptr) {
        grow_by(num_rows);
        std::memcpy(
            values_->data() + size_t{num_rows_} * value_bytes_,
            column.values_buffer()->data() + size_t{begin} * value_bytes_,
            size_t{num_rows} * value_bytes_
        );
        num_rows_ += num_rows;
        return;
    }
    uint32_t positions[256];
    for (uint32_t done = 0; done < num_rows;) {
        const uint32_t step = std::min(num_rows - done, 256U);
        for (uint32_t i = 0; i < step; ++i) {
            positions[i] = begin + done + i;
        }
        append_positions(column, positions, step);
        done += step;
    }
}

size_t ColumnBuilder::memory_bytes() const {
    return size_t{capacity_rows_} * value_bytes_ + payload_bytes_ +
           (valid_ == nullptr ? 0 : capacity_rows_ / 8);
}

ColumnPtr ColumnBuilder::finish() {
    if (values_ == nullptr) {
        grow(0);
    }
    values_->set_size(size_t{num_rows_} * value_bytes_);
    if (valid_ != nullptr) {
        valid_->set_size(validity::num_words(num_rows_) * 8);
        type_.nullable = true;
    }
    auto column =
        Column::flat(type_, num_rows_, std::move(values_), std::move(valid_), std::move(payloads_));
    values_ = nullptr;
    valid_ = nullptr;
    payloads_.clear();
    payload_ = nullptr;
    payload_next_ = payload_end_ = nullptr;
    payload_bytes_ = 0;
    num_rows_ = capacity_rows_ = 0;
    return column;
}

std::vector<ColumnBuilder> make_builders(std::span<const DataType> types, uint32_t expected_rows) {
    std::vector<ColumnBuilder> builders;
    builders.reserve(types.size());
    for (const DataType& type : types) {
        builders.emplace_back(type, expected_rows);
    }
    return builders;
}

Batch finish_batch(std::vector<ColumnBuilder>& builders) {
    Batch batch;
    batch.num_rows = builders.empty() ? 0 : builders[0].size();
    for (ColumnBuilder& builder : builders) {
        batch.columns.push_back(builder.finish());
    }
    return batch;
}

}  // namespace thetis
