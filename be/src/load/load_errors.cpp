// SPDX-License-Identifier: Apache-2.0
#include "load/load_errors.h"

namespace thetis {

namespace {

// A row of megabytes says no more about what is wrong with it than its beginning.
constexpr size_t kMaxRowTextBytes = 4096;

}  // namespace

void LoadErrors::reject(int64_t row_number, std::string_view reason, std::string_view row_text) {
    MutexLock lock(mutex_);
    ++num_filtered_;
    if (logged_bytes_ >= max_log_bytes_ && num_filtered_ > 1) {
        return;
    }
    std::string line =
        fmt::format("Reason: {}. src line [{}]; ", reason, row_text.substr(0, kMaxRowTextBytes));
    if (row_number > 0) {
        line = fmt::format(
            "Reason: {}. line {}. src line [{}]; ",
            reason,
            row_number,
            row_text.substr(0, kMaxRowTextBytes)
        );
    }
    if (num_filtered_ == 1) {
        first_error_ = line;
        file_name_ = store_.new_file_name();
        file_.open(store_.path_of(file_name_), std::ios::binary | std::ios::app);
    }
    line.push_back('\n');
    logged_bytes_ += static_cast<int64_t>(line.size());
    file_ << line;
    file_.flush();
}

void LoadErrors::add_unselected(int64_t num_rows) {
    MutexLock lock(mutex_);
    num_unselected_ += num_rows;
}

int64_t LoadErrors::num_filtered() const {
    MutexLock lock(mutex_);
    return num_filtered_;
}

int64_t LoadErrors::num_unselected() const {
    MutexLock lock(mutex_);
    return num_unselected_;
}

std::string LoadErrors::url() const {
    MutexLock lock(mutex_);
    return file_name_.empty() ? "" : store_.url_of(file_name_);
}

std::string LoadErrors::first_error() const {
    MutexLock lock(mutex_);
    return first_error_;
}

}  // namespace thetis
