// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

#include "base/thread/mutex.h"
#include "exec/scan/row_source.h"
#include "format/row_reader.h"
#include "load/error_log.h"

namespace thetis {

/// Rows one load could not take, from splitting to routing: counts them and writes the first ones
/// to the load's error log. Thread-safe.
class LoadErrors final : public RowErrors, public BadRowListener {
public:
    LoadErrors(const ErrorLogStore& store, int64_t max_log_bytes)
        : store_(store), max_log_bytes_(max_log_bytes) {}

    void reject(int64_t row_number, std::string_view reason, std::string_view row_text) override;
    void add_unselected(int64_t num_rows) override;

    void bad_row(int64_t row_number, std::string_view reason, std::string_view row_text) override {
        reject(row_number, reason, row_text);
    }

    int64_t num_filtered() const;
    int64_t num_unselected() const;
    /// Empty when every row was good.
    std::string url() const;
    std::string first_error() const;

private:
    const ErrorLogStore& store_;
    const int64_t max_log_bytes_;
    mutable Mutex mutex_;  // Guards all below. The file is written under it: it keeps lines whole.
    int64_t num_filtered_ GUARDED_BY(mutex_) = 0;
    int64_t num_unselected_ GUARDED_BY(mutex_) = 0;
    int64_t logged_bytes_ GUARDED_BY(mutex_) = 0;
    std::string file_name_ GUARDED_BY(mutex_);
    std::string first_error_ GUARDED_BY(mutex_);
    std::ofstream file_ GUARDED_BY(mutex_);
};

}  // namespace thetis
