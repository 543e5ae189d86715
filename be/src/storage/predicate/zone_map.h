// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "base/thread/mutex.h"
#include "column/column.h"

namespace thetis {

namespace pb {
class ColumnIndex;
class ZoneMap;
}  // namespace pb

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

/// The zone maps of a column's pages, read from what was stored when they are first asked for: many
/// segments are merged away before anybody does. Thread-safe.
class PageZoneMaps {
public:
    /// Of these, the zone maps alone are kept.
    PageZoneMaps(const DataType& type, pb::ColumnIndex&& index);
    ~PageZoneMaps();

    /// One per page. Corruption when what was stored is none of the type.
    Result<std::span<const ZoneMap>> get() const;

private:
    const DataType type_;
    mutable std::atomic<bool> is_read_{false};  // Nothing changes after it is set.
    mutable Mutex mutex_;
    mutable std::unique_ptr<const pb::ColumnIndex> stored_ GUARDED_BY(mutex_);
    mutable std::vector<ZoneMap> maps_;  // Written once, under the lock.
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
