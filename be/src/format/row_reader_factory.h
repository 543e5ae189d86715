// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "format/row_reader.h"

namespace thetis {

/// What a load body is, as the plan's StreamScan says.
struct RowReaderRequest {
    std::string format;  ///< csv, csv_with_names, csv_with_names_and_types, json.
    std::map<std::string, std::string> properties;
    std::vector<std::string> source_columns;
    uint32_t max_batch_rows = 4096;
    int64_t max_json_body_bytes = int64_t{100} << 20;
};

/// The reader for a format; not_supported names a format that is not built.
Result<std::unique_ptr<RowReader>> make_row_reader(
    const RowReaderRequest& request, BadRowListener& bad_rows
);

}  // namespace thetis
