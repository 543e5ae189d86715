// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exec/pipeline/operator.h"

namespace thetis {

/// Rows of a load body. The loader gives one to FragmentManager::prepare for a plan with a
/// StreamScan.
///
/// Batches hold the plan's source columns followed by two columns for error reports: the row's
/// number in the body (BIGINT, from 1) and its raw text (VARCHAR). Rows that cannot be split into
/// columns are counted and described by the loader itself (RowErrors) and left out of the batches.
class RowSource {
public:
    static constexpr uint32_t kNumExtraColumns = 2;

    virtual ~RowSource() = default;

    /// Never blocks: waits for bytes through a dependency. Called by one task at a time. An error
    /// ends the load (a truncated body).
    virtual Result<Poll> next(Batch& batch) = 0;

    /// No more batches are wanted. Idempotent.
    virtual void close() = 0;
};

/// Collects rows a load could not take. Thread-safe. The loader owns it and keeps the first few for
/// the error page.
class RowErrors {
public:
    virtual ~RowErrors() = default;

    /// `row_number` from 1; `row_text` may be empty. Counts the row as filtered.
    virtual void reject(int64_t row_number, std::string_view reason, std::string_view row_text) = 0;

    /// Rows dropped by the load's WHERE.
    virtual void add_unselected(int64_t num_rows) = 0;
};

}  // namespace thetis
