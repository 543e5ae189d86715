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
    uint32_t count = batch.num_selected();
    selection->resize(count);
    uint32_t kept = 0;
    const uint64_t* valid = probe->form() == ColumnForm::kConstant ? nullptr : probe->valid_words();
    if (probe->form() == ColumnForm::kConstant && probe->base()->is_null(0)) {
        batch.selection = std::make_shared<Selection>();
        return;
    }
    if (probe->form() == ColumnForm::kDictionary && probe->base()->size() <= count) {
        // One test per distinct value.
        uint32_t size = probe->base()->size();
        std::vector<uint64_t> hashes(size);
        hash_column(*probe->base(), nullptr, size, false, hashes.data());
        std::vector<uint8_t> passes(size);
        for (uint32_t code = 0; code < size; ++code) {
            passes[code] = bloom_->may_contain(hashes[code]) ? 1 : 0;
        }
        const uint32_t* codes = probe->codes();
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t row = batch.row_at(i);
            (*selection)[kept] = static_cast<uint16_t>(row);
            kept += passes[codes[row]] != 0 && validity::is_valid(valid, row) ? 1 : 0;
        }
    } else {
        std::vector<uint64_t> hashes(count);
        hash_column(*probe, batch.selection.get(), count, false, hashes.data());
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t row = batch.row_at(i);
            (*selection)[kept] = static_cast<uint16_t>(row);
            kept += bloom_->may_contain(hashes[i]) && validity::is_valid(valid, row) ? 1 : 0;
        }
    }
    if (kept < count) {
        selection->resize(kept);
        batch.selection = std::move(selection);
    }
}

}  // namespace thetis
