// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/csv/csv_options.h"
#include "format/row_reader.h"

namespace thetis {

/// Reads CSV. Rows with a wrong number of fields or bytes that are not UTF-8 are reported and left
/// out; empty lines are skipped. Two ways through the text: single-byte separators without
/// enclosing are found 64 bytes at a time, everything else field by field.
class CsvReader final : public RowReader {
public:
    /// `bad_rows` outlives the reader. `first_payload` rows of the body were counted before (0).
    CsvReader(CsvOptions options, BadRowListener& bad_rows);

    Status feed(std::string_view text) override;
    Status finish_input() override;
    Result<bool> next(Batch& batch) override;

private:
    /// A field of the row being read: a range of the text, or of `rewritten_` when escapes were
    /// taken out.
    struct Field {
        const char* data;
        uint32_t size;
        bool is_null;
    };

    bool is_simple() const;
    void start_batch();
    bool read_simple_rows();
    bool read_general_rows();
    /// Ends a row of the simple way: fields end at boundaries_[first..last].
    void take_simple_row(size_t first, size_t last, uint32_t row_begin, uint32_t row_end);
    /// Finds the end of the general row at position_; false when the text ends before it. Fills
    /// fields_.
    bool split_row(size_t& row_end, size_t& next_row);
    bool split_enclosed(size_t& at, size_t& end);
    void take_general_row(std::string_view row);
    Field make_field(std::string_view raw) const;
    bool skip_this_line();
    bool check_row(std::string_view row, uint32_t num_fields);
    void reject(std::string_view row, std::string_view reason);
    Batch finish_batch();

    const CsvOptions options_;
    BadRowListener& bad_rows_;
    std::vector<SourceColumnBuilder> builders_;

    // The text being read: what was left of the previous piece, then the newest one.
    std::shared_ptr<Buffer> text_;
    size_t text_size_ = 0;
    size_t position_ = 0;
    bool input_finished_ = false;
    bool text_is_utf8_ = true;

    // Simple way: all separator positions of text_, and the next unread one.
    std::vector<uint32_t> boundaries_;
    size_t next_boundary_ = 0;

    // General way: fields of one row; bytes that had to be rewritten, for the whole batch.
    std::vector<Field> fields_;
    std::vector<BufferPtr> rewritten_;

    // The batch being built.
    bool in_batch_ = false;
    uint32_t num_rows_ = 0;
    std::vector<int64_t> row_numbers_;
    std::shared_ptr<Buffer> row_texts_;
    int64_t lines_seen_ = 0;
};

}  // namespace thetis
