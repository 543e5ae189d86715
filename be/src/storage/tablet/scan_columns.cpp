// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/scan_columns.h"

#include "column/builder.h"

namespace thetis {

namespace {

/// What rows hold that were written before the column existed.
ColumnPtr missing_value_of(const SchemaColumn& column) {
    if (column.default_value != nullptr) {
        return column.default_value;
    }
    ColumnBuilder builder(column.type, 1);
    if (column.type.nullable) {
        builder.append_null();
    } else {
        builder.append_defaults(1);
    }
    return builder.finish();
}

}  // namespace

ScanColumn scan_column(const SchemaColumn& column) {
    return {
        .unique_id = column.unique_id,
        .type = column.type,
        .missing_value = missing_value_of(column)
    };
}

Result<ScanColumn> find_scan_column(const TabletSchema& schema, int32_t unique_id) {
    const auto position = schema.find_column(unique_id);
    if (!position.has_value()) {
        return Status::error(
            ErrorCode::kNotFound,
            "No column of unique id {} in schema version {}",
            unique_id,
            schema.schema_version()
        );
    }
    return scan_column(schema.columns()[*position]);
}

std::shared_ptr<const SegmentScan> full_scan(const TabletSchema& schema) {
    auto scan = std::make_shared<SegmentScan>();
    for (const SchemaColumn& column : schema.columns()) {
        scan->output.push_back(scan_column(column));
    }
    return scan;
}

}  // namespace thetis
