// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// Which columns a load sends and which of them a segment gets. Immutable, shared by the memtables
/// of a writer.
class WriteLayout {
public:
    /// A load's: `column_unique_ids` are what batches hold, in order; empty: every column but the
    /// version and row-store columns. Segments get all of them but the version column, whose value
    /// is not known yet (readers take the rowset's version).
    static Result<std::shared_ptr<const WriteLayout>> for_load(
        const TabletSchemaPtr& schema, std::span<const int32_t> column_unique_ids
    );
    /// Every column comes and is written as it is, hidden ones too: what compactions do.
    static std::shared_ptr<const WriteLayout> for_all(TabletSchemaPtr schema);

    /// What segments are written with.
    const TabletSchemaPtr& schema() const { return schema_; }

    /// Positions in schema() of the columns of a batch.
    const std::vector<size_t>& input() const { return input_; }

    /// Positions in schema() of columns that batches do not have and storage does not make.
    const std::vector<size_t>& absent() const { return absent_; }

    /// Where rows are encoded as a whole, when batches do not bring that.
    std::optional<size_t> row_store() const { return row_store_; }

private:
    TabletSchemaPtr schema_;
    std::vector<size_t> input_;
    std::vector<size_t> absent_;
    std::optional<size_t> row_store_;
};

}  // namespace thetis
