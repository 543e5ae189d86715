// SPDX-License-Identifier: Apache-2.0
#include "load/load_reply.h"

#include "base/text/json_writer.h"

namespace thetis {

std::string LoadReply::to_json() const {
    JsonWriter json(true);
    json.begin_object();
    json.field("TxnId", txn_id);
    json.field("Label", label);
    json.field("Comment", comment);
    json.field("TwoPhaseCommit", two_phase_commit ? "true" : "false");
    json.field("Status", status);
    if (!existing_job_status.empty()) {
        json.field("ExistingJobStatus", existing_job_status);
    }
    json.field("Message", message);
    json.field("NumberTotalRows", loaded_rows + filtered_rows + unselected_rows);
    json.field("NumberLoadedRows", loaded_rows);
    json.field("NumberFilteredRows", filtered_rows);
    json.field("NumberUnselectedRows", unselected_rows);
    json.field("LoadBytes", load_bytes);
    json.field("LoadTimeMs", load_time_ms);
    json.field("BeginTxnTimeMs", begin_txn_time_ms);
    json.field("StreamLoadPutTimeMs", put_time_ms);
    json.field("ReadDataTimeMs", read_data_time_ms);
    json.field("WriteDataTimeMs", write_data_time_ms);
    json.field("ReceiveDataTimeMs", receive_data_time_ms);
    json.field("CommitAndPublishTimeMs", commit_time_ms);
    if (!error_url.empty()) {
        json.field("ErrorURL", error_url);
    }
    if (!first_error.empty()) {
        json.field("FirstErrorMsg", first_error);
    }
    json.end_object();
    return json.take() + "\n";
}

}  // namespace thetis
