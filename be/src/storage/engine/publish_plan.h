// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "storage/engine/data_directory.h"
#include "storage/rowset/rowset.h"
#include "storage/tablet/tablet.h"

namespace thetis {

/// One tablet of a publish: what it gets and what becomes of the rows that are there.
struct PublishStep {
    std::shared_ptr<Tablet> tablet;
    RowsetMeta meta;
    RowsetPtr written;                ///< As it was loaded, or with the further segment.
    RowsetPtr rowset;                 ///< The same with its version.
    std::vector<RowsetPtr> replaced;  ///< Rowsets that marks may be for.
    RowsetMarks marks;
    int64_t added_bytes = 0;  ///< Of a further segment.
    size_t outcome = 0;       ///< Position among the outcomes.
};

/// All tablets of a publish, with one metadata change per directory.
struct PublishPlan {
    struct Group {
        MetadataChange change;
        std::vector<PublishStep> steps;
    };

    std::map<DataDirectory*, Group> groups;
};

}  // namespace thetis
