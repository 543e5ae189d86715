// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/column_summary.h"

#include <algorithm>
#include <cmath>

#include "storage/tablet/tablet.h"

namespace thetis {

namespace {

/// The value of a one-row column as a place on the line of numbers.
std::optional<double> place_of(const Column& value) {
    return visit_physical(value.physical(), [&](auto tag) -> std::optional<double> {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, StringRef>) {
            return std::nullopt;
        } else {
            const auto number = static_cast<double>(*value.values<T>());
            return value.type().id == TypeId::kDecimal ? number / std::pow(10.0, value.type().scale)
                                                       : number;
        }
    });
}

/// Whole numbers between the bounds, of decimals in their last digit; negative for other types.
double span_of(const Column& min, const Column& max) {
    return visit_physical(min.physical(), [&](auto tag) -> double {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, StringRef> || std::is_floating_point_v<T>) {
            return -1;
        } else {
            return static_cast<double>(*max.values<T>()) - static_cast<double>(*min.values<T>()) +
                   1;
        }
    });
}

/// Gathers one column over segments.
class Gathering {
public:
    explicit Gathering(int32_t unique_id) : unique_id_(unique_id) {}

    Status add(const Segment& segment) {
        if (!segment.has_column(unique_id_) || segment.num_rows() == 0) {
            return {};
        }
        ASSIGN_OR_RETURN(const ZoneMap* const stored, segment.zone_map(unique_id_));
        const ZoneMap& zone = *stored;
        num_rows_ += segment.num_rows();
        if (!zone.has_value) {
            return {};
        }
        if (segment.column_type(unique_id_).is_string()) {
            ASSIGN_OR_RETURN(const auto pages, segment.column(unique_id_));
            has_unknown_ |= pages->dictionary == nullptr;
            largest_dictionary_ = std::max<int64_t>(
                largest_dictionary_, pages->dictionary == nullptr ? 0 : pages->dictionary->size()
            );
            return {};
        }
        const double span = zone.has_range() ? span_of(*zone.min, *zone.max) : -1;
        if (span < 0) {
            has_unknown_ = true;
        }
        if (zone.has_range()) {
            const auto low = place_of(*zone.min);
            const auto high = place_of(*zone.max);
            if (low.has_value() && high.has_value()) {
                min_ = std::min(min_.value_or(*low), *low);
                max_ = std::max(max_.value_or(*high), *high);
                step_ = std::max(span, 1.0) > 1 ? (*high - *low) / (span - 1) : step_;
            }
        }
        return {};
    }

    ColumnSummary summary() const {
        ColumnSummary result{unique_id_, min_, max_, -1};
        if (has_unknown_) {
            return result;
        }
        if (min_.has_value()) {
            const double span = (*max_ - *min_) / step_ + 1;
            result.num_distinct =
                static_cast<int64_t>(std::min(span, static_cast<double>(num_rows_)));
        } else if (largest_dictionary_ > 0) {
            result.num_distinct = largest_dictionary_;
        }
        return result;
    }

private:
    int32_t unique_id_;
    int64_t num_rows_ = 0;
    std::optional<double> min_;
    std::optional<double> max_;
    double step_ = 1;  // Between neighbouring numbers.
    int64_t largest_dictionary_ = 0;
    bool has_unknown_ = false;
};

}  // namespace

Result<std::vector<ColumnSummary>> summarize_columns(
    const Tablet& tablet, std::span<const int32_t> unique_ids
) {
    std::vector<Gathering> columns;
    for (const int32_t id : unique_ids) {
        columns.emplace_back(id);
    }
    for (const RowsetPtr& rowset : tablet.contiguous_rowsets()) {
        if (rowset->meta().num_rows == 0) {
            continue;
        }
        ASSIGN_OR_RETURN(const auto segments, rowset->segments());
        for (const auto& segment : segments) {
            for (Gathering& column : columns) {
                RETURN_IF_ERROR(column.add(*segment));
            }
        }
    }
    std::vector<ColumnSummary> summaries;
    for (const Gathering& column : columns) {
        summaries.push_back(column.summary());
    }
    return summaries;
}

}  // namespace thetis
