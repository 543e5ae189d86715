// SPDX-License-Identifier: Apache-2.0
#include "format/row_reader_factory.h"

#include "format/csv/csv_reader.h"
#include "format/json/json_reader.h"

namespace thetis {

Result<std::unique_ptr<RowReader>> make_row_reader(
    const RowReaderRequest& request, BadRowListener& bad_rows
) {
    uint32_t max_rows = std::clamp<uint32_t>(request.max_batch_rows, 1, kMaxBatchRows);
    if (request.format == "json") {
        ASSIGN_OR_RETURN(
            auto options, JsonOptions::parse(request.properties, request.source_columns)
        );
        options.max_batch_rows = max_rows;
        options.max_body_bytes = request.max_json_body_bytes;
        return std::unique_ptr<RowReader>(std::make_unique<JsonReader>(std::move(options), bad_rows)
        );
    }
    int header_lines = request.format == "csv"
                           ? 0
                           : (request.format == "csv_with_names"
                                  ? 1
                                  : (request.format == "csv_with_names_and_types" ? 2 : -1));
    if (header_lines < 0) {
        return Status::error(
            ErrorCode::kNotSupported, "load format {} is not supported", request.format
        );
    }
    ASSIGN_OR_RETURN(
        auto options,
        CsvOptions::parse(request.properties, static_cast<uint32_t>(request.source_columns.size()))
    );
    options.max_batch_rows = max_rows;
    options.skip_lines += header_lines;
    return std::unique_ptr<RowReader>(std::make_unique<CsvReader>(std::move(options), bad_rows));
}

}  // namespace thetis
