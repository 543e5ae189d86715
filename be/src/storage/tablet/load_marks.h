// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_set>

#include "base/status.h"
#include "storage/rowset/rowset.h"

namespace thetis {

/// What a merge-on-write load does to the rows that are there: which of them it replaces, and which
/// of its own rows lose, to a later one of the load or to a row with a larger sequence. Filled in
/// steps: at commit against what is visible then, at publish against what became visible since. For
/// one thread at a time.
class LoadMarks {
public:
    LoadMarks();
    ~LoadMarks();
    LoadMarks(LoadMarks&&) noexcept;
    LoadMarks& operator=(LoadMarks&&) noexcept;

    /// Of rows with one key in several segments of the load the one with the largest sequence
    /// stays, the one in the later segment of equals. Done once, before resolve.
    Status resolve_within(const RowsetPtr& load);

    /// Goes through those rowsets that it did not see yet: the load's row replaces the one that is
    /// there unless its sequence is smaller.
    Status resolve(const RowsetPtr& load, std::span<const RowsetPtr> rowsets);

    bool has_seen(const RowsetPtr& rowset) const {
        return seen_.contains(rowset->meta().rowset_id);
    }

    /// Row of the load's own segment loses.
    void mark(const RowsetPtr& load, uint32_t segment_id, uint32_t row);
    void mark(const RowsetPtr& load, uint32_t segment_id, const RowBitmap& rows);
    bool is_marked(const RowsetPtr& load, uint32_t segment_id, uint32_t row) const;

    /// Marks in rowsets that are still among `rowsets`, and in the load itself.
    RowsetMarks marks(const RowsetPtr& load, std::span<const RowsetPtr> rowsets) const;

private:
    using Rows = std::shared_ptr<RowBitmap>;

    Rows& rows_of(const std::string& rowset_id, uint32_t segment_id);

    std::map<std::string, std::map<uint32_t, Rows>> rows_;
    std::unordered_set<std::string> seen_;  // Rowset ids.
};

}  // namespace thetis
