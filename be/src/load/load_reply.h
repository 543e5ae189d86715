// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace thetis {

/// The reply of a stream load, with the fields and types existing clients parse.
struct LoadReply {
    int64_t txn_id = -1;
    std::string label;
    std::string comment;
    bool two_phase_commit = false;
    std::string status = "Fail";  ///< Success, Publish Timeout, Label Already Exists, Fail.
    std::string existing_job_status;
    std::string message;
    int64_t loaded_rows = 0;
    int64_t filtered_rows = 0;
    int64_t unselected_rows = 0;
    int64_t load_bytes = 0;
    int64_t load_time_ms = 0;
    int64_t begin_txn_time_ms = 0;
    int64_t put_time_ms = 0;
    int64_t read_data_time_ms = 0;
    int64_t write_data_time_ms = 0;
    int64_t receive_data_time_ms = 0;
    int64_t commit_time_ms = 0;
    std::string error_url;
    std::string first_error;

    /// Pretty-printed JSON.
    std::string to_json() const;
};

}  // namespace thetis
