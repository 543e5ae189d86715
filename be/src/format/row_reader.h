// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "column/batch.h"

namespace thetis {

/// Told of rows that cannot be split into fields.
class BadRowListener {
public:
    virtual ~BadRowListener() = default;
    /// `row_number` counts rows of the body from 1; `row_text` lives during the call only.
    virtual void bad_row(
        int64_t row_number, std::string_view reason, std::string_view row_text
    ) = 0;
};

/// Turns text that arrives in pieces into batches of VARCHAR source columns, followed by the row's
/// number in the body (BIGINT) and its raw text (VARCHAR). Strings point into the text, which the
/// batch keeps alive. Used by one thread at a time.
class RowReader {
public:
    virtual ~RowReader() = default;

    /// More text; only after next() asked for it.
    virtual Status feed(std::string_view text) = 0;

    /// The text is complete.
    virtual Status finish_input() = 0;

    /// Puts out up to the configured number of rows; false: feed() more, or the end after
    /// finish_input().
    virtual Result<bool> next(Batch& batch) = 0;
};

/// Where a source column's rows go while a batch is built: 16-byte string views and a validity
/// bitmap made on the first NULL.
class SourceColumnBuilder {
public:
    explicit SourceColumnBuilder(uint32_t max_rows) : max_rows_(max_rows) {}

    /// Starts a batch; the views are uninitialised.
    void start();

    StringRef* views() { return views_; }

    void set_null(uint32_t row);
    /// Ends the batch. `payloads` hold the bytes of long strings.
    ColumnPtr finish(uint32_t num_rows, std::vector<BufferPtr> payloads);

private:
    const uint32_t max_rows_;
    std::shared_ptr<Buffer> values_;
    std::shared_ptr<Buffer> valid_;
    StringRef* views_ = nullptr;
};

/// Row numbers `first, first + 1, ...` may have gaps where bad rows were left out, hence an
/// explicit list.
ColumnPtr make_row_numbers(const std::vector<int64_t>& numbers);

}  // namespace thetis
