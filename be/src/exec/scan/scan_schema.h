// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "storage/tablet_schema.h"

namespace thetis::wire {
class TabletSchemaDesc;
}

namespace thetis {

/// The schema a scan reads in, as its plan has it: columns, types and the defaults of columns that
/// older segments lack.
Result<TabletSchemaPtr> scan_schema(const wire::TabletSchemaDesc& desc);

}  // namespace thetis
