// SPDX-License-Identifier: Apache-2.0
#include "exec/scan/row_sources.h"

#include <numeric>

namespace thetis {

Result<Poll> ValuesSource::next(Batch& batch) {
    if (next_ >= batches_.size()) {
        return Poll::finished();
    }
    batch = std::move(batches_[next_++]);
    return Poll::batch();
}

Result<Poll> NumbersSource::next(Batch& batch) {
    int64_t begin = next_->fetch_add(batch_size_, std::memory_order_relaxed);
    if (begin >= count_) {
        return Poll::finished();
    }
    auto num_rows = static_cast<uint32_t>(std::min<int64_t>(batch_size_, count_ - begin));
    auto values = Buffer::allocate(num_rows * sizeof(int64_t));
    std::iota(values->as<int64_t>(), values->as<int64_t>() + num_rows, begin);
    batch = {};
    batch.num_rows = num_rows;
    batch.columns.push_back(
        Column::flat(DataType::of(TypeId::kBigint, false), num_rows, std::move(values))
    );
    return Poll::batch();
}

}  // namespace thetis
