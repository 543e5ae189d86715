// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/status.h"
#include "column/batch.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// Makes rows of one schema from rows of another; storage knows no expressions, whoever does hands
/// in an implementation. Immutable and shared by threads.
class RowTransform {
public:
    virtual ~RowTransform() = default;

    /// Unique ids of the columns that apply() takes, in this order.
    virtual const std::vector<int32_t>& column_unique_ids() const = 0;

    /// The new rows, as dense as the old ones. A value that cannot be converted is an error that
    /// names it.
    virtual Result<Batch> apply(const Batch& rows) const = 0;
};

/// The history of one tablet, to be written under another schema.
struct ConversionRequest {
    int64_t base_tablet_id = 0;
    int64_t shadow_tablet_id = 0;
    int64_t version = 0;  ///< What the base has up to here becomes [2-version] of the shadow.
    TabletSchemaPtr base_schema{};  ///< What the transform reads.
    std::shared_ptr<const RowTransform> transform{};
    std::function<bool()> is_cancelled{};  ///< Asked between batches; may be empty.
};

}  // namespace thetis
