// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "base/status.h"

namespace thetis {

/// How a CSV body is cut into rows and fields.
struct CsvOptions {
    std::string column_separator = "\t";
    std::string line_delimiter = "\n";
    char enclose = 0;  ///< 0: fields are not enclosed.
    char escape = 0;   ///< 0: none. Effective inside enclosed fields.
    bool trim_double_quotes = false;
    bool empty_field_as_null = false;
    int64_t skip_lines = 0;
    uint32_t num_columns = 0;  ///< Fields a row must have.
    uint32_t max_batch_rows = 4096;

    /// From the properties of a StreamScan (names as the load headers). Separators may be written
    /// `\x01`, `\t`, `\n`, `\r` or `\\`.
    static Result<CsvOptions> parse(
        const std::map<std::string, std::string>& properties, uint32_t num_columns
    );
};

/// Turns `\x01` and `\t`-like notation into bytes; other text is taken as it is.
Result<std::string> unescape_separator(std::string_view text);

}  // namespace thetis
