// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "storage/segment/segment_iterator.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// A schema column as a scan needs it: rows of segments without it hold its default, else NULL,
/// else (NOT NULL) zero or empty.
ScanColumn scan_column(const SchemaColumn& column);

/// not_found names the id.
Result<ScanColumn> find_scan_column(const TabletSchema& schema, int32_t unique_id);

/// All columns of all rows, in schema order.
std::shared_ptr<const SegmentScan> full_scan(const TabletSchema& schema);

}  // namespace thetis
