// SPDX-License-Identifier: Apache-2.0
#include "storage/index/short_key_index.h"

#include <algorithm>

#include "column/builder.h"
#include "column/scalar.h"
#include "column/sort_key.h"

namespace thetis {

namespace {

SortKeyEncoder make_encoder(std::vector<DataType> types) {
    std::vector<SortOrder> orders(types.size());
    return {std::move(types), std::move(orders)};
}

/// Inclusive bounds that a column's predicates put on its values.
struct Bounds {
    std::optional<Scalar> low;
    std::optional<Scalar> high;

    void at_least(const Scalar& value) {
        if (!low.has_value() || low->compare(value) < 0) {
            low = value;
        }
    }

    void at_most(const Scalar& value) {
        if (!high.has_value() || high->compare(value) > 0) {
            high = value;
        }
    }

    bool is_point() const {
        return low.has_value() && high.has_value() && low->compare(*high) == 0;
    }
};

void apply(const ColumnPredicate& predicate, Bounds& bounds) {
    if (predicate.values == nullptr || predicate.values->size() == 0) {
        return;
    }
    const Scalar first = Scalar::from_column(*predicate.values, 0);
    switch (predicate.op) {
        case PredicateOp::kEq:
            bounds.at_least(first);
            bounds.at_most(first);
            break;
        case PredicateOp::kLt:
        case PredicateOp::kLe:
            bounds.at_most(first);
            break;
        case PredicateOp::kGt:
        case PredicateOp::kGe:
        case PredicateOp::kPrefix:
            bounds.at_least(first);
            break;
        case PredicateOp::kIn: {
            Scalar min = first;
            Scalar max = first;
            for (uint32_t i = 1; i < predicate.values->size(); ++i) {
                const Scalar value = Scalar::from_column(*predicate.values, i);
                min = value.compare(min) < 0 ? value : min;
                max = value.compare(max) > 0 ? value : max;
            }
            bounds.at_least(min);
            bounds.at_most(max);
            break;
        }
        default:
            break;
    }
}

std::string cut(std::string key) {
    key.resize(std::min(key.size(), kMaxShortKeyBytes));
    return key;
}

}  // namespace

ColumnPtr encode_short_keys(std::span<const ColumnPtr> key_columns) {
    const size_t num_columns = std::min(key_columns.size(), kMaxShortKeyColumns);
    std::vector<DataType> types;
    for (size_t i = 0; i < num_columns; ++i) {
        types.push_back(key_columns[i]->type());
    }
    const uint32_t num_rows = key_columns[0]->size();
    SortKeys keys;
    make_encoder(std::move(types)).encode(key_columns.first(num_columns), nullptr, num_rows, keys);
    ColumnBuilder builder(DataType::varchar(kMaxShortKeyBytes, false), num_rows);
    for (uint32_t row = 0; row < num_rows; ++row) {
        builder.append_string(keys[row].substr(0, kMaxShortKeyBytes));
    }
    return builder.finish();
}

ShortKeyIndex::ShortKeyIndex(ColumnPtr entries, uint32_t num_rows, std::vector<DataType> key_types)
    : entries_(std::move(entries)), num_rows_(num_rows), key_types_(std::move(key_types)) {}

Result<std::unique_ptr<ShortKeyIndex>> ShortKeyIndex::open(
    ColumnPtr entries, uint32_t num_rows, std::vector<DataType> key_types
) {
    if (entries->size() != (num_rows + kRowsPerShortKey - 1) / kRowsPerShortKey) {
        return Status::error(
            ErrorCode::kCorruption, "{} short keys for {} rows", entries->size(), num_rows
        );
    }
    return std::make_unique<ShortKeyIndex>(std::move(entries), num_rows, std::move(key_types));
}

uint32_t ShortKeyIndex::first_entry_at_least(std::string_view key) const {
    uint32_t begin = 0;
    uint32_t end = entries_->size();
    while (begin < end) {
        const uint32_t middle = (begin + end) / 2;
        if (entry(middle) < key) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

RowRange ShortKeyIndex::find_rows(
    std::span<const int32_t> key_unique_ids, std::span<const ColumnPredicate> predicates
) const {
    // A key prefix: points on leading columns, then at most one range.
    std::vector<Scalar> low;
    std::vector<Scalar> high;
    for (size_t i = 0; i < std::min(key_unique_ids.size(), key_types_.size()); ++i) {
        Bounds bounds;
        for (const ColumnPredicate& predicate : predicates) {
            if (predicate.column_unique_id == key_unique_ids[i]) {
                apply(predicate, bounds);
            }
        }
        if (bounds.low.has_value()) {
            low.push_back(*bounds.low);
        }
        if (bounds.high.has_value()) {
            high.push_back(*bounds.high);
        }
        if (!bounds.is_point()) {
            break;
        }
    }
    const uint32_t count = entries_->size();
    uint32_t first = 0;
    uint32_t last = count;
    const std::vector<DataType> types(key_types_);
    if (!low.empty()) {
        // Block i is of use unless the next block already begins below the bound.
        const uint32_t begin = first_entry_at_least(cut(make_encoder(types).encode_row(low)));
        first = begin == 0 ? 0 : begin - 1;
    }
    if (!high.empty()) {
        // Keys that start with the bound are still allowed, so only the common bytes are compared.
        const std::string key = cut(make_encoder(types).encode_row(high));
        uint32_t begin = 0;
        uint32_t end = count;
        while (begin < end) {
            const uint32_t middle = (begin + end) / 2;
            if (entry(middle).substr(0, key.size()) <= key.substr(0, entry(middle).size())) {
                begin = middle + 1;
            } else {
                end = middle;
            }
        }
        last = begin;
    }
    if (first >= last) {
        return {0, 0};
    }
    return {first * kRowsPerShortKey, std::min(last * kRowsPerShortKey, num_rows_)};
}

}  // namespace thetis
