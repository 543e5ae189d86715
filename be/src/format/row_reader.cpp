// SPDX-License-Identifier: Apache-2.0
#include "format/row_reader.h"

namespace thetis {

void SourceColumnBuilder::start() {
    values_ = Buffer::allocate(sizeof(StringRef) * max_rows_);
    valid_ = nullptr;
    views_ = values_->as<StringRef>();
}

void SourceColumnBuilder::set_null(uint32_t row) {
    if (valid_ == nullptr) {
        valid_ = validity::all_valid(max_rows_);
    }
    validity::set_null(valid_->as<uint64_t>(), row);
    views_[row] = StringRef();
}

ColumnPtr SourceColumnBuilder::finish(uint32_t num_rows, std::vector<BufferPtr> payloads) {
    views_ = nullptr;
    return Column::flat(
        DataType::varchar(), num_rows, std::move(values_), std::move(valid_), std::move(payloads)
    );
}

ColumnPtr make_row_numbers(const std::vector<int64_t>& numbers) {
    auto values = Buffer::copy_of(numbers.data(), numbers.size() * sizeof(int64_t));
    return Column::flat(
        DataType::of(TypeId::kBigint, false),
        static_cast<uint32_t>(numbers.size()),
        std::move(values)
    );
}

}  // namespace thetis
