// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "storage/tablet_schema.h"

namespace thetis::wire {
class TabletSchemaDesc;
}

namespace thetis {

/// The storage schema a front end describes; invalid_argument names what is wrong with it.
Result<TabletSchemaPtr> schema_from_wire(const wire::TabletSchemaDesc& desc);

}  // namespace thetis
