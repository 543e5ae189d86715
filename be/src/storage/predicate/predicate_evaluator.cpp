// SPDX-License-Identifier: Apache-2.0
#include "storage/predicate/predicate_evaluator.h"

#include <numeric>

#include <immintrin.h>

#include "base/hash.h"

namespace thetis {

namespace {

/// Appends the set bits of `mask` as positions from `first` on and gives the new end.
uint32_t append_positions(uint64_t mask, uint32_t first, uint16_t* target, uint32_t kept) {
    if (mask == ~uint64_t{0}) {
        for (uint32_t i = 0; i < 64; ++i) {
            target[kept + i] = static_cast<uint16_t>(first + i);
        }
        return kept + 64;
    }
    for (; mask != 0; mask &= mask - 1) {
        target[kept++] =
            static_cast<uint16_t>(first + static_cast<uint32_t>(std::countr_zero(mask)));
    }
    return kept;
}

/// Keeps positions for which `test(row)` holds. Over all rows: answers as bytes (a loop that
/// vectorises), then as one bit mask per 64 rows, so that rows that fail cost almost nothing.
template <typename Test>
void select(uint32_t num_rows, bool is_all, Selection& selection, Test test) {
    uint32_t kept = 0;
    if (is_all) {
        selection.resize(num_rows);
        uint16_t* target = selection.data();
        uint32_t row = 0;
        for (; row + 64 <= num_rows; row += 64) {
            alignas(32) uint8_t answers[64];
            for (uint32_t i = 0; i < 64; ++i) {
                answers[i] = test(row + i) ? 0xFF : 0;
            }
            const auto* halves = reinterpret_cast<const __m256i*>(answers);
            const auto low = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_load_si256(halves)));
            const auto high =
                static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_load_si256(halves + 1)));
            kept = append_positions(low | static_cast<uint64_t>(high) << 32, row, target, kept);
        }
        for (; row < num_rows; ++row) {
            target[kept] = static_cast<uint16_t>(row);
            kept += test(row) ? 1 : 0;
        }
    } else {
        uint16_t* target = selection.data();
        for (const uint16_t row : selection) {
            target[kept] = row;
            kept += test(row) ? 1 : 0;
        }
    }
    selection.resize(kept);
}

template <typename T, PredicateOp op>
bool compare_values(const T& value, const T& bound) {
    if constexpr (op == PredicateOp::kEq) {
        return value == bound;
    } else if constexpr (op == PredicateOp::kNe) {
        return !(value == bound);
    } else if constexpr (op == PredicateOp::kLt) {
        return value < bound;
    } else if constexpr (op == PredicateOp::kLe) {
        return !(bound < value);
    } else if constexpr (op == PredicateOp::kGt) {
        return bound < value;
    } else {
        return !(value < bound);
    }
}

/// Floats follow IEEE except that NaN is the greatest value and equal to itself, as sort keys and
/// SQL comparison have it.
template <typename T>
struct Total {
    T value;

    bool operator==(const Total& other) const {
        return value == other.value || (value != value && other.value != other.value);
    }

    bool operator<(const Total& other) const {
        return value < other.value || (other.value != other.value && value == value);
    }
};

template <typename T>
using Ordered = std::conditional_t<std::is_floating_point_v<T>, Total<T>, T>;

template <typename T>
const Ordered<T>* ordered_values(const Column& column) {
    return column.values<Ordered<T>>();
}

template <typename T, PredicateOp op>
class CompareEvaluator final : public PredicateEvaluator {
public:
    explicit CompareEvaluator(ColumnPredicate predicate)
        : PredicateEvaluator(std::move(predicate)),
          bound_(ordered_values<T>(*predicate_.values)[0]) {}

    bool may_match(const ZoneMap& zone) const override {
        if (!zone.has_value) {
            return false;
        }
        if (!zone.has_range()) {
            return true;
        }
        const Ordered<T>& min = *ordered_values<T>(*zone.min);
        const Ordered<T>& max = *ordered_values<T>(*zone.max);
        if constexpr (op == PredicateOp::kEq) {
            return !(bound_ < min) && !(max < bound_);
        } else if constexpr (op == PredicateOp::kNe) {
            return !(min == bound_ && max == bound_);
        } else if constexpr (op == PredicateOp::kLt || op == PredicateOp::kLe) {
            return compare_values<Ordered<T>, op>(min, bound_);
        } else {
            return compare_values<Ordered<T>, op>(max, bound_);
        }
    }

    bool matches_all(const ZoneMap& zone) const override {
        if (zone.has_null || !zone.has_range()) {
            return false;
        }
        const Ordered<T>& min = *ordered_values<T>(*zone.min);
        const Ordered<T>& max = *ordered_values<T>(*zone.max);
        if constexpr (op == PredicateOp::kEq) {
            return min == bound_ && max == bound_;
        } else if constexpr (op == PredicateOp::kNe) {
            return bound_ < min || max < bound_;
        } else {
            return compare_values<Ordered<T>, op>(min, bound_) &&
                   compare_values<Ordered<T>, op>(max, bound_);
        }
    }

protected:
    void filter_values(const Column& column, bool is_all, Selection& selection) const override {
        const Ordered<T>* values = ordered_values<T>(column);
        const Ordered<T> bound = bound_;
        select(column.size(), is_all, selection, [=](uint32_t row) {
            return compare_values<Ordered<T>, op>(values[row], bound);
        });
    }

    void match_values(const Column& column, uint8_t* matches) const override {
        const Ordered<T>* values = ordered_values<T>(column);
        for (uint32_t row = 0; row < column.size(); ++row) {
            matches[row] = compare_values<Ordered<T>, op>(values[row], bound_) ? 1 : 0;
        }
    }

private:
    const Ordered<T> bound_;
};

/// IN and NOT IN: short lists by comparing with each, longer ones by an open-addressing table of
/// positions in the list.
template <typename T>
class InEvaluator final : public PredicateEvaluator {
public:
    explicit InEvaluator(ColumnPredicate predicate)
        : PredicateEvaluator(std::move(predicate)), negated_(predicate_.op == PredicateOp::kNotIn) {
        const Ordered<T>* values = ordered_values<T>(*predicate_.values);
        const uint32_t count = predicate_.values->size();
        sorted_.assign(values, values + count);
        std::sort(sorted_.begin(), sorted_.end());
        sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
        if (prepare_bits()) {
            return;
        }
        // Sparse, so that the test of a value that is not in the list nearly always ends at its
        // first slot.
        slots_.assign(std::bit_ceil(sorted_.size() * 16 + 1), kEmpty);
        for (uint32_t i = 0; i < sorted_.size(); ++i) {
            uint64_t slot = hash(sorted_[i]);
            while (slots_[slot & (slots_.size() - 1)] != kEmpty) {
                ++slot;
            }
            slots_[slot & (slots_.size() - 1)] = i;
        }
    }

    bool may_match(const ZoneMap& zone) const override {
        if (!zone.has_value || negated_) {
            return zone.has_value;
        }
        if (!zone.has_range()) {
            return !sorted_.empty();
        }
        const auto at_least =
            std::lower_bound(sorted_.begin(), sorted_.end(), *ordered_values<T>(*zone.min));
        return at_least != sorted_.end() && !(*ordered_values<T>(*zone.max) < *at_least);
    }

    bool matches_all(const ZoneMap&) const override { return false; }

protected:
    void filter_values(const Column& column, bool is_all, Selection& selection) const override {
        const Ordered<T>* values = ordered_values<T>(column);
        if (!bits_.empty()) {
            if constexpr (kHasBits) {
                select(
                    column.size(),
                    is_all,
                    selection,
                    [values,
                     bits = bits_.data(),
                     first = first_bit_,
                     last = last_bit_,
                     negated = negated_](uint32_t row) {
                        return is_set(bits, first, last, values[row]) != negated;
                    }
                );
            }
            return;
        }
        select(column.size(), is_all, selection, [this, values](uint32_t row) {
            return contains(values[row]) != negated_;
        });
    }

    void match_values(const Column& column, uint8_t* matches) const override {
        const Ordered<T>* values = ordered_values<T>(column);
        for (uint32_t row = 0; row < column.size(); ++row) {
            matches[row] = contains(values[row]) != negated_ ? 1 : 0;
        }
    }

private:
    static constexpr uint32_t kEmpty = UINT32_MAX;
    static constexpr size_t kShortList = 4;
    static constexpr uint64_t kMaxBits = uint64_t{1} << 20;
    static constexpr bool kHasBits = std::is_integral_v<T> && sizeof(T) <= 8;

    /// A bit per value between the least and the greatest, when that is little memory.
    bool prepare_bits() {
        if constexpr (kHasBits) {
            if (sorted_.size() <= kShortList) {
                return false;
            }
            first_bit_ = static_cast<uint64_t>(sorted_.front());
            last_bit_ = static_cast<uint64_t>(sorted_.back()) - first_bit_;
            if (last_bit_ >= kMaxBits) {
                return false;
            }
            bits_.assign(last_bit_ / 64 + 2, 0);
            for (const T value : sorted_) {
                const uint64_t bit = static_cast<uint64_t>(value) - first_bit_;
                bits_[bit >> 6] |= uint64_t{1} << (bit & 63);
            }
            return true;
        }
        return false;
    }

    static bool is_set(const uint64_t* bits, uint64_t first, uint64_t last, T value)
        requires kHasBits
    {
        const uint64_t bit = static_cast<uint64_t>(value) - first;
        // A value outside of the range asks the first bit in vain.
        const uint64_t inside = bit <= last ? 1 : 0;
        const uint64_t at = inside != 0 ? bit : 0;
        return ((bits[at >> 6] >> (at & 63)) & inside) != 0;
    }

    static uint64_t hash(const Ordered<T>& value) {
        if constexpr (std::is_same_v<T, StringRef>) {
            return hash_bytes(value.data(), value.size());
        } else if constexpr (std::is_floating_point_v<T>) {
            const double number = value.value != value.value
                                      ? 0.5
                                      : static_cast<double>(value.value) + 0.0;  // -0.0 to 0.0
            return hash_int(std::bit_cast<uint64_t>(number == 0 ? 0.0 : number));
        } else if constexpr (sizeof(T) == 16) {
            return hash_int(
                static_cast<uint64_t>(value) ^
                (static_cast<uint64_t>(value >> 64) * 0x9E3779B97F4A7C15ULL)
            );
        } else {
            return hash_int(static_cast<uint64_t>(value));
        }
    }

    bool contains(const Ordered<T>& value) const {
        if (sorted_.size() <= kShortList) {
            bool found = false;
            for (const Ordered<T>& each : sorted_) {
                found |= each == value;
            }
            return found;
        }
        if constexpr (kHasBits) {
            if (!bits_.empty()) {
                return is_set(bits_.data(), first_bit_, last_bit_, value);
            }
        }
        for (uint64_t slot = hash(value);; ++slot) {
            const uint32_t position = slots_[slot & (slots_.size() - 1)];
            if (position == kEmpty) {
                return false;
            }
            if (sorted_[position] == value) {
                return true;
            }
        }
    }

    const bool negated_;
    std::vector<Ordered<T>> sorted_;  // Strings point into predicate_.values.
    std::vector<uint32_t> slots_;
    std::vector<uint64_t> bits_;  // Instead of slots_.
    uint64_t first_bit_ = 0;
    uint64_t last_bit_ = 0;
};

/// Whatever the filter says.
class FilterEvaluator final : public PredicateEvaluator {
public:
    explicit FilterEvaluator(ColumnPredicate predicate)
        : PredicateEvaluator(std::move(predicate)) {}

    bool may_match(const ZoneMap& zone) const override {
        return zone.has_value &&
               (!zone.has_range() || predicate_.filter->may_match(*zone.min, *zone.max));
    }

    bool matches_all(const ZoneMap&) const override { return false; }

protected:
    void filter_values(const Column& column, bool is_all, Selection& selection) const override {
        if (!predicate_.filter->select(column, is_all, selection) && is_all) {
            selection.resize(column.size());
            std::iota(selection.begin(), selection.end(), uint16_t{0});
        }
    }

    void match_values(const Column& column, uint8_t* matches) const override {
        predicate_.filter->test(column, matches);
    }
};

class PrefixEvaluator final : public PredicateEvaluator {
public:
    explicit PrefixEvaluator(ColumnPredicate predicate)
        : PredicateEvaluator(std::move(predicate)),
          prefix_(predicate_.values->values<StringRef>()[0].view()) {}

    bool may_match(const ZoneMap& zone) const override {
        if (!zone.has_value || !zone.has_range()) {
            return zone.has_value;
        }
        const std::string_view min =
            zone.min->values<StringRef>()[0].view().substr(0, prefix_.size());
        const std::string_view max =
            zone.max->values<StringRef>()[0].view().substr(0, prefix_.size());
        return min <= prefix_ && prefix_ <= max;
    }

    bool matches_all(const ZoneMap&) const override { return false; }

protected:
    void filter_values(const Column& column, bool is_all, Selection& selection) const override {
        const auto* values = column.values<StringRef>();
        select(column.size(), is_all, selection, [this, values](uint32_t row) {
            return values[row].view().starts_with(prefix_);
        });
    }

    void match_values(const Column& column, uint8_t* matches) const override {
        const auto* values = column.values<StringRef>();
        for (uint32_t row = 0; row < column.size(); ++row) {
            matches[row] = values[row].view().starts_with(prefix_) ? 1 : 0;
        }
    }

private:
    const std::string prefix_;
};

/// IS NULL, IS NOT NULL: decided by validity alone, in filter().
class NullEvaluator final : public PredicateEvaluator {
public:
    explicit NullEvaluator(ColumnPredicate predicate) : PredicateEvaluator(std::move(predicate)) {}

    bool may_match(const ZoneMap& zone) const override {
        return predicate_.op == PredicateOp::kIsNull ? zone.has_null : zone.has_value;
    }

    bool matches_all(const ZoneMap& zone) const override {
        return predicate_.op == PredicateOp::kIsNull ? !zone.has_value : !zone.has_null;
    }

protected:
    void filter_values(const Column&, bool, Selection&) const override {}

    void match_values(const Column&, uint8_t*) const override {}
};

Result<std::unique_ptr<PredicateEvaluator>> create_compare(
    const ColumnPredicate& predicate, PhysicalType type
) {
    return visit_physical(type, [&]<typename T>(T) -> Result<std::unique_ptr<PredicateEvaluator>> {
        switch (predicate.op) {
            case PredicateOp::kEq:
                return std::unique_ptr<PredicateEvaluator>(
                    std::make_unique<CompareEvaluator<T, PredicateOp::kEq>>(predicate)
                );
            case PredicateOp::kNe:
                return std::unique_ptr<PredicateEvaluator>(
                    std::make_unique<CompareEvaluator<T, PredicateOp::kNe>>(predicate)
                );
            case PredicateOp::kLt:
                return std::unique_ptr<PredicateEvaluator>(
                    std::make_unique<CompareEvaluator<T, PredicateOp::kLt>>(predicate)
                );
            case PredicateOp::kLe:
                return std::unique_ptr<PredicateEvaluator>(
                    std::make_unique<CompareEvaluator<T, PredicateOp::kLe>>(predicate)
                );
            case PredicateOp::kGt:
                return std::unique_ptr<PredicateEvaluator>(
                    std::make_unique<CompareEvaluator<T, PredicateOp::kGt>>(predicate)
                );
            case PredicateOp::kGe:
                return std::unique_ptr<PredicateEvaluator>(
                    std::make_unique<CompareEvaluator<T, PredicateOp::kGe>>(predicate)
                );
            default:
                return std::unique_ptr<PredicateEvaluator>(
                    std::make_unique<InEvaluator<T>>(predicate)
                );
        }
    });
}

}  // namespace

Result<std::unique_ptr<PredicateEvaluator>> PredicateEvaluator::create(
    const ColumnPredicate& predicate, const DataType& column_type
) {
    if (predicate.op == PredicateOp::kIsNull || predicate.op == PredicateOp::kIsNotNull) {
        return std::unique_ptr<PredicateEvaluator>(std::make_unique<NullEvaluator>(predicate));
    }
    if (predicate.op == PredicateOp::kFilter) {
        if (predicate.filter == nullptr || predicate.filter->physical() != column_type.physical()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "The filter of predicate {} does not suit a column of type {}",
                to_string(predicate),
                column_type.to_string()
            );
        }
        return std::unique_ptr<PredicateEvaluator>(std::make_unique<FilterEvaluator>(predicate));
    }
    const bool takes_many = predicate.op == PredicateOp::kIn || predicate.op == PredicateOp::kNotIn;
    const ColumnPtr& values = predicate.values;
    const bool suits = values != nullptr && values->form() == ColumnForm::kFlat &&
                       values->valid_words() == nullptr &&
                       values->physical() == column_type.physical() &&
                       (takes_many || values->size() == 1) &&
                       (predicate.op != PredicateOp::kPrefix || column_type.is_string());
    if (!suits) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "The values of predicate {} do not suit a column of type {}",
            to_string(predicate),
            column_type.to_string()
        );
    }
    if (predicate.op == PredicateOp::kPrefix) {
        return std::unique_ptr<PredicateEvaluator>(std::make_unique<PrefixEvaluator>(predicate));
    }
    return create_compare(predicate, column_type.physical());
}

void PredicateEvaluator::filter(const ColumnPtr& column, bool is_all, Selection& selection) {
    const bool is_constant = column->form() == ColumnForm::kConstant;
    const bool tests_null =
        predicate_.op == PredicateOp::kIsNull || predicate_.op == PredicateOp::kIsNotNull;
    if (is_constant) {
        uint8_t passes = 0;
        const bool is_null = column->base()->is_null(0);
        if (tests_null) {
            passes = is_null == (predicate_.op == PredicateOp::kIsNull) ? 1 : 0;
        } else if (!is_null) {
            match_values(*column->base(), &passes);
        }
        select(column->size(), is_all, selection, [passes](uint32_t) { return passes != 0; });
        return;
    }
    const uint64_t* valid = column->valid_words();
    if (tests_null) {
        const bool wants_null = predicate_.op == PredicateOp::kIsNull;
        select(column->size(), is_all, selection, [=](uint32_t row) {
            return validity::is_valid(valid, row) != wants_null;
        });
        return;
    }
    if (valid != nullptr) {
        select(column->size(), is_all, selection, [=](uint32_t row) {
            return validity::is_valid(valid, row);
        });
        is_all = false;
    }
    if (column->form() == ColumnForm::kDictionary) {
        filter_codes(*column, is_all, selection);
    } else {
        filter_values(*column, is_all, selection);
    }
}

void PredicateEvaluator::filter_codes(const Column& column, bool is_all, Selection& selection) {
    if (dictionary_ != column.base()) {
        matches_.assign(column.base()->size(), 0);
        match_values(*column.base(), matches_.data());
        dictionary_ = column.base();
        num_matches_ =
            static_cast<size_t>(std::count(matches_.begin(), matches_.end(), uint8_t{1}));
    }
    if (num_matches_ == 0) {
        selection.clear();
        return;
    }
    const uint32_t* codes = column.codes();
    if (num_matches_ == 1) {
        const auto wanted = static_cast<uint32_t>(
            std::find(matches_.begin(), matches_.end(), uint8_t{1}) - matches_.begin()
        );
        select(column.size(), is_all, selection, [=](uint32_t row) {
            return codes[row] == wanted;
        });
        return;
    }
    const uint8_t* matches = matches_.data();
    select(column.size(), is_all, selection, [=](uint32_t row) {
        return matches[codes[row]] != 0;
    });
}

}  // namespace thetis
