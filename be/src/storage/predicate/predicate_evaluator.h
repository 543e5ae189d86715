// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <unordered_map>

#include "column/batch.h"
#include "storage/predicate/column_predicate.h"
#include "storage/predicate/zone_map.h"

namespace thetis {

/// A predicate made ready for columns of one physical type. Not thread-safe: remembers the answers
/// for a dictionary.
class PredicateEvaluator {
public:
    /// invalid_argument when the values do not suit the operator or have another physical type than
    /// the column.
    static Result<std::unique_ptr<PredicateEvaluator>> create(
        const ColumnPredicate& predicate, const DataType& column_type
    );
    virtual ~PredicateEvaluator() = default;

    int32_t column_unique_id() const { return predicate_.column_unique_id; }

    const ColumnPredicate& predicate() const { return predicate_; }

    /// Keeps in `selection` the rows of `column` that pass: of all rows when `is_all`, else of
    /// those in it.
    void filter(const ColumnPtr& column, bool is_all, Selection& selection);

    /// False when no row with this zone map can pass.
    virtual bool may_match(const ZoneMap& zone) const = 0;
    /// True when every row with this zone map passes.
    virtual bool matches_all(const ZoneMap& zone) const = 0;

protected:
    explicit PredicateEvaluator(ColumnPredicate predicate) : predicate_(std::move(predicate)) {}

    /// Rows of a flat column; its nulls are dealt with by the caller.
    virtual void filter_values(const Column& column, bool is_all, Selection& selection) const = 0;
    /// 1 for each value that passes.
    virtual void match_values(const Column& column, uint8_t* matches) const = 0;

    const ColumnPredicate predicate_;

private:
    void filter_codes(const Column& column, bool is_all, Selection& selection);

    ColumnPtr dictionary_;  // The one matches_ is about; held so that its address stays its own.
    std::vector<uint8_t> matches_;
    size_t num_matches_ = 0;
};

}  // namespace thetis
