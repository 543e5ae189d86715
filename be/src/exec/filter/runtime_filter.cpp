// SPDX-License-Identifier: Apache-2.0
#include "exec/filter/runtime_filter.h"

#include <bit>

#include "column/builder.h"
#include "column/hashing.h"

namespace thetis {

namespace {
constexpr uint64_t kBitsPerKey = 12;
}

BlockedBloom::BlockedBloom(uint64_t num_keys) {
    size_t words = std::bit_ceil(std::max<uint64_t>(num_keys * kBitsPerKey / 64, 64));
    words_ = TrackedVector<uint64_t>(words, uint64_t{0});
    mask_ = words - 1;
}

void BlockedBloom::merge(const BlockedBloom& other) {
    for (size_t i = 0; i < words_.size(); ++i) {
        words_[i] |= other.words_[i];
    }
}

void RuntimeFilter::build_pass_all() {
    ready_->set_ready();
}

void RuntimeFilter::build(const std::vector<ColumnPtr>& key_columns) {
    num_keys_ = 0;
    for (const auto& column : key_columns) {
        num_keys_ += column->size();
    }
    has_content_ = true;
    visit_physical(type_.physical(), [&](auto tag) { build_as<decltype(tag)>(key_columns); });
    ready_->set_ready();
}

template <typename T>
void RuntimeFilter::build_as(const std::vector<ColumnPtr>& key_columns) {
    uint64_t num_values = 0;
    bool has_bounds = false;
    T low{};
    T high{};
    if (num_keys_ <= kMaxBloomKeys) {
        bloom_ = std::make_unique<BlockedBloom>(num_keys_);
    }
    std::vector<uint64_t> hashes;
    for (const auto& column : key_columns) {
        ColumnView<T> view(*column);
        for (uint32_t row = 0; row < column->size(); ++row) {
            if (!view.is_valid(row)) {
                continue;
            }
            const T& value = view[row];
            ++num_values;
            if (!has_bounds) {
                low = value;
                high = value;
                has_bounds = true;
            } else if (value < low) {
                low = value;
            } else if (high < value) {
                high = value;
            }
        }
        if (bloom_ != nullptr && column->size() > 0) {
            hashes.resize(column->size());
            hash_column(*column, nullptr, column->size(), false, hashes.data());
            for (uint32_t row = 0; row < column->size(); ++row) {
                if (view.is_valid(row)) {
                    bloom_->add(hashes[row]);
                }
            }
        }
    }
    num_keys_ = num_values;
    if (!has_bounds) {
        return;
    }
    auto bound = [&](const T& value) {
        ColumnBuilder builder(type_, 1);
        if constexpr (std::is_same_v<T, StringRef>) {
            builder.append_string(value.view());
        } else {
            builder.append<T>(value);
        }
        return Scalar::from_column(*builder.finish(), 0);
    };
    // NaN has no place between bounds.
    if constexpr (!std::is_floating_point_v<T>) {
        min_ = bound(low);
        max_ = bound(high);
    }
    if (num_values <= kMaxInValues) {
        ColumnBuilder builder(type_, static_cast<uint32_t>(num_values));
        for (const auto& column : key_columns) {
            ColumnView<T> view(*column);
            for (uint32_t row = 0; row < column->size(); ++row) {
                if (view.is_valid(row)) {
                    builder.append_from(*column, row, 1);
                }
            }
        }
        values_ = builder.finish();
    }
}

void RuntimeFilter::apply(const ColumnPtr& probe, Batch& batch) const {
    if (!has_content_) {
        return;
    }
    auto selection = std::make_shared<Selection>();
    if (num_keys_ == 0) {
        batch.selection = std::move(selection);
        return;
    }
    if (bloom_ == nullptr) {
        return;
    }
    if (is_futile()) {
        return;
    }
    if (probe->form() == ColumnForm::kConstant && probe->base()->is_null(0)) {
        batch.selection = std::move(selection);
        return;
    }
    uint32_t count = batch.num_selected();
    selection->resize(count);
    uint32_t kept = probe->form() == ColumnForm::kDictionary && probe->base()->size() <= count
                        ? select_by_code(*probe, batch, selection->data())
                        : select_by_hash(*probe, batch, selection->data());
    // Relaxed: only a hint for later batches.
    num_tested_.fetch_add(count, std::memory_order_relaxed);
    num_passed_.fetch_add(kept, std::memory_order_relaxed);
    if (kept < count) {
        selection->resize(kept);
        batch.selection = std::move(selection);
    }
}

// A filter that lets nearly all rows through costs more than it saves.
bool RuntimeFilter::is_futile() const {
    uint64_t tested = num_tested_.load(std::memory_order_relaxed);
    return tested >= kSampleRows && num_passed_.load(std::memory_order_relaxed) * 10 > tested * 8;
}

// One test per distinct value.
uint32_t RuntimeFilter::select_by_code(const Column& probe, const Batch& batch, uint16_t* selected)
    const {
    uint32_t size = probe.base()->size();
    std::vector<uint64_t> hashes(size);
    hash_column(*probe.base(), nullptr, size, false, hashes.data());
    std::vector<uint8_t> passes(size);
    for (uint32_t code = 0; code < size; ++code) {
        passes[code] = bloom_->may_contain(hashes[code]) ? 1 : 0;
    }
    const uint32_t* codes = probe.codes();
    const uint64_t* valid = probe.valid_words();
    uint32_t kept = 0;
    for (uint32_t i = 0; i < batch.num_selected(); ++i) {
        uint32_t row = batch.row_at(i);
        selected[kept] = static_cast<uint16_t>(row);
        kept += passes[codes[row]] & static_cast<uint32_t>(validity::is_valid(valid, row));
    }
    return kept;
}

uint32_t RuntimeFilter::select_by_hash(const Column& probe, const Batch& batch, uint16_t* selected)
    const {
    uint32_t count = batch.num_selected();
    std::vector<uint64_t> hashes(count);
    hash_column(probe, batch.selection.get(), count, false, hashes.data());
    const uint64_t* valid = probe.form() == ColumnForm::kConstant ? nullptr : probe.valid_words();
    const uint16_t* rows = batch.selection == nullptr ? nullptr : batch.selection->data();
    // Without branches, so that several words of the filter are on their way at once.
    uint32_t kept = 0;
    if (valid == nullptr && rows == nullptr) {
        for (uint32_t i = 0; i < count; ++i) {
            selected[kept] = static_cast<uint16_t>(i);
            kept += static_cast<uint32_t>(bloom_->may_contain(hashes[i]));
        }
        return kept;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t row = rows == nullptr ? i : rows[i];
        selected[kept] = static_cast<uint16_t>(row);
        kept += static_cast<uint32_t>(bloom_->may_contain(hashes[i])) &
                static_cast<uint32_t>(validity::is_valid(valid, row));
    }
    return kept;
}

}  // namespace thetis
