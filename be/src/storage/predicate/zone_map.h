// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/status.h"
#include "column/column.h"

namespace thetis {

namespace pb {
class ZoneMap;
}

/// What is known of the values of a page or a segment. Strings are cut to 512 bytes, the maximum
/// then rounded up.
struct ZoneMap {
    bool has_null = false;
    bool has_value = false;
    /// Flat columns of one row; null pointers when there is no value or no usable bound (NaN, 512
    /// bytes of 0xFF).
    ColumnPtr min;
    ColumnPtr max;

    bool has_range() const { return min != nullptr; }

    static Result<ZoneMap> from_protobuf(const DataType& type, const pb::ZoneMap& message);
    void to_protobuf(pb::ZoneMap& message) const;
};

/// Gathers the zone map of one page after another, and of all of them.
class ZoneMapBuilder {
public:
    explicit ZoneMapBuilder(const DataType& type) : type_(type) {}

    /// The zone map of a page whose values are those of the flat column; `has_other_nulls`: the
    /// page has nulls besides them.
    ZoneMap add_page(const Column& column, bool has_other_nulls = false);

    /// Of all pages added so far.
    const ZoneMap& total() const { return total_; }

private:
    void merge(const ZoneMap& page);

    DataType type_;
    ZoneMap total_;
    bool total_unbounded_ = false;
};

}  // namespace thetis
