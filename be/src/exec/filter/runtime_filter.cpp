// SPDX-License-Identifier: Apache-2.0
#include "exec/filter/runtime_filter.h"

#include <bit>

#include "column/builder.h"
#include "column/hashing.h"

namespace thetis {

namespace {
constexpr uint64_t kBitsPerKey = 12;
constexpr uint64_t kMaxRangeBits = uint64_t{1} << 27;
constexpr uint64_t kSmallRangeBits = uint64_t{1} << 21;  // Stay in the second cache.
constexpr uint64_t kRangeBitsPerKey = 128;

template <typename T>
constexpr bool kIsNumber = std::is_integral_v<T> && sizeof(T) <= 8;

/// Keeps the rows (null: the first num_rows) that pass; without branches, so that several words of
/// the set are on their way at once.
template <typename Passes>
uint32_t select_rows(
    const uint16_t* rows,
    uint32_t num_rows,
    const uint64_t* valid,
    uint16_t* selected,
    Passes passes
) {
    uint32_t kept = 0;
    if (valid == nullptr && rows == nullptr) {
        for (uint32_t i = 0; i < num_rows; ++i) {
            selected[kept] = static_cast<uint16_t>(i);
            kept += static_cast<uint32_t>(passes(i, i));
        }
        return kept;
    }
    for (uint32_t i = 0; i < num_rows; ++i) {
        const uint32_t row = rows == nullptr ? i : rows[i];
        selected[kept] = static_cast<uint16_t>(row);
        kept += static_cast<uint32_t>(passes(i, row)) &
                static_cast<uint32_t>(validity::is_valid(valid, row));
    }
    return kept;
}
}  // namespace

RangeBits::RangeBits(uint64_t first, uint64_t last) : first_(first), span_(last - first) {
    words_ = TrackedVector<uint64_t>(span_ / 64 + 1, uint64_t{0});
}

bool RangeBits::suits(uint64_t first, uint64_t last, uint64_t num_keys) {
    const uint64_t span = last - first;
    return span < kMaxRangeBits && (span < kSmallRangeBits || span / kRangeBitsPerKey < num_keys);
}

bool RangeBits::contains_any(uint64_t low, uint64_t high) const {
    const uint64_t begin = low - first_;
    const uint64_t end = high - first_;
    const uint64_t head = ~uint64_t{0} << (begin & 63);
    const uint64_t tail = ~uint64_t{0} >> (63 - (end & 63));
    if (begin >> 6 == end >> 6) {
        return (words_[begin >> 6] & head & tail) != 0;
    }
    if ((words_[begin >> 6] & head) != 0 || (words_[end >> 6] & tail) != 0) {
        return true;
    }
    for (uint64_t word = (begin >> 6) + 1; word < end >> 6; ++word) {
        if (words_[word] != 0) {
            return true;
        }
    }
    return false;
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
    }
    num_keys_ = num_values;
    if (!has_bounds) {
        return;
    }
    build_set<T>(key_columns, low, high);
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

template <typename T>
void RuntimeFilter::build_set(
    const std::vector<ColumnPtr>& key_columns, const T& low, const T& high
) {
    if constexpr (kIsNumber<T>) {
        const auto first = static_cast<uint64_t>(int64_t{low});
        const auto last = static_cast<uint64_t>(int64_t{high});
        if (RangeBits::suits(first, last, num_keys_)) {
            bits_ = std::make_unique<RangeBits>(first, last);
            for (const auto& column : key_columns) {
                ColumnView<T> view(*column);
                for (uint32_t row = 0; row < column->size(); ++row) {
                    if (view.is_valid(row)) {
                        bits_->add(static_cast<uint64_t>(int64_t{view[row]}));
                    }
                }
            }
            return;
        }
    }
    if (num_keys_ > kMaxBloomKeys) {
        return;
    }
    bloom_ = std::make_unique<BlockedBloom>(num_keys_);
    std::vector<uint64_t> hashes;
    for (const auto& column : key_columns) {
        ColumnView<T> view(*column);
        hashes.resize(column->size());
        hash_column(*column, nullptr, column->size(), false, hashes.data());
        for (uint32_t row = 0; row < column->size(); ++row) {
            if (view.is_valid(row)) {
                bloom_->add(hashes[row]);
            }
        }
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
    if (!can_test() || is_futile()) {
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
                        : select_values(*probe, batch.selection.get(), count, selection->data());
    this->count(count, kept);
    if (kept < count) {
        selection->resize(kept);
        batch.selection = std::move(selection);
    }
}

bool RuntimeFilter::may_match(const Column& min, const Column& max) const {
    if (num_keys_ == 0) {
        return !has_content_;
    }
    return visit_physical(type_.physical(), [&](auto tag) {
        using T = decltype(tag);
        if constexpr (std::is_floating_point_v<T>) {
            return true;
        } else {
            if (!min_.has_value()) {
                return true;
            }
            const ColumnPtr least = min_->to_column();
            const ColumnPtr greatest = max_->to_column();
            const T& low = *min.values<T>();
            const T& high = *max.values<T>();
            const T& first = *least->template values<T>();
            const T& last = *greatest->template values<T>();
            if (high < first || last < low) {
                return false;
            }
            if constexpr (kIsNumber<T>) {
                return bits_ == nullptr || bits_->contains_any(
                                               static_cast<uint64_t>(int64_t{std::max(low, first)}),
                                               static_cast<uint64_t>(int64_t{std::min(high, last)})
                                           );
            }
            return true;
        }
    });
}

void RuntimeFilter::test(const Column& values, uint8_t* passes) const {
    const uint32_t count = values.size();
    if (num_keys_ == 0) {
        std::fill_n(passes, count, has_content_ ? 0 : 1);
        return;
    }
    if (bits_ != nullptr) {
        visit_physical(type_.physical(), [&](auto tag) {
            using T = decltype(tag);
            if constexpr (kIsNumber<T>) {
                const T* numbers = values.values<T>();
                for (uint32_t i = 0; i < count; ++i) {
                    passes[i] = bits_->contains(static_cast<uint64_t>(int64_t{numbers[i]})) ? 1 : 0;
                }
            }
        });
        return;
    }
    if (bloom_ == nullptr) {
        std::fill_n(passes, count, 1);
        return;
    }
    std::vector<uint64_t> hashes(count);
    hash_column(values, nullptr, count, false, hashes.data());
    for (uint32_t i = 0; i < count; ++i) {
        passes[i] = bloom_->may_contain(hashes[i]) ? 1 : 0;
    }
}

bool RuntimeFilter::select(const Column& values, bool is_all, Selection& selection) const {
    if (has_content_ && num_keys_ == 0) {
        selection.clear();
        return true;
    }
    if (!can_test() || is_futile()) {
        return false;
    }
    if (is_all) {
        selection.resize(values.size());
    }
    // In place: a row is written at or before the place it was read from.
    const auto tested = static_cast<uint32_t>(selection.size());
    const uint32_t kept =
        select_values(values, is_all ? nullptr : &selection, tested, selection.data());
    selection.resize(kept);
    count(tested, kept);
    return true;
}

// Relaxed: only a hint for later batches.
void RuntimeFilter::count(uint64_t tested, uint64_t passed) const {
    num_tested_.fetch_add(tested, std::memory_order_relaxed);
    num_passed_.fetch_add(passed, std::memory_order_relaxed);
}

// A filter that lets nearly all rows through costs more than it saves.
bool RuntimeFilter::is_futile() const {
    uint64_t tested = num_tested_.load(std::memory_order_relaxed);
    return tested >= kSampleRows && num_passed_.load(std::memory_order_relaxed) * 10 > tested * 8;
}

// One test per distinct value.
uint32_t RuntimeFilter::select_by_code(const Column& probe, const Batch& batch, uint16_t* selected)
    const {
    std::vector<uint8_t> passes(probe.base()->size());
    test(*probe.base(), passes.data());
    const uint32_t* codes = probe.codes();
    return select_rows(
        batch.selection == nullptr ? nullptr : batch.selection->data(),
        batch.num_selected(),
        probe.valid_words(),
        selected,
        [&](uint32_t, uint32_t row) { return passes[codes[row]] != 0; }
    );
}

uint32_t RuntimeFilter::select_values(
    const Column& probe, const Selection* rows, uint32_t num_rows, uint16_t* selected
) const {
    const uint64_t* valid = probe.form() == ColumnForm::kConstant ? nullptr : probe.valid_words();
    const uint16_t* positions = rows == nullptr ? nullptr : rows->data();
    if (bits_ != nullptr) {
        return visit_physical(type_.physical(), [&](auto tag) -> uint32_t {
            using T = decltype(tag);
            if constexpr (kIsNumber<T>) {
                const RangeBits& bits = *bits_;
                ColumnView<T> view(probe);
                if (const T* flat = view.flat_values()) {
                    return select_rows(
                        positions,
                        num_rows,
                        valid,
                        selected,
                        [&](uint32_t, uint32_t row) {
                            return bits.contains(static_cast<uint64_t>(int64_t{flat[row]}));
                        }
                    );
                }
                return select_rows(
                    positions,
                    num_rows,
                    valid,
                    selected,
                    [&](uint32_t, uint32_t row) {
                        return bits.contains(static_cast<uint64_t>(int64_t{view[row]}));
                    }
                );
            }
            return 0;
        });
    }
    std::vector<uint64_t> hashes(num_rows);
    hash_column(probe, rows, num_rows, false, hashes.data());
    return select_rows(positions, num_rows, valid, selected, [&](uint32_t i, uint32_t) {
        return bloom_->may_contain(hashes[i]);
    });
}

}  // namespace thetis
