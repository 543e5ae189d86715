// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/json/json_options.h"
#include "format/row_reader.h"

namespace thetis {

/// Reads JSON objects: one per line, an array of them, or one. Strings are unescaped, numbers kept
/// as written, booleans become 1 and 0, objects and arrays their JSON text; an absent key is NULL.
/// A line that is not JSON is a bad row; a body that is not (when not read by line) is one bad row
/// too.
class JsonReader final : public RowReader {
public:
    /// `bad_rows` outlives the reader.
    JsonReader(JsonOptions options, BadRowListener& bad_rows);
    ~JsonReader() override;

    Status feed(std::string_view text) override;
    Status finish_input() override;
    Result<bool> next(Batch& batch) override;

private:
    class Parser;  // Keeps simdjson out of this header.

    /// Parses the next whole line, or the whole body; false when there is none (yet).
    bool read_line();
    bool read_body();

    const JsonOptions options_;
    BadRowListener& bad_rows_;
    std::unique_ptr<Parser> parser_;
    std::shared_ptr<Buffer> text_;
    size_t text_size_ = 0;
    size_t position_ = 0;
    std::vector<std::string> pieces_;  ///< Of a body that is not read by line.
    int64_t body_bytes_ = 0;
    bool input_finished_ = false;
    bool body_done_ = false;
    bool lines_of_body_ = false;
    int64_t lines_seen_ = 0;
};

}  // namespace thetis
