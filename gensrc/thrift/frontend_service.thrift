// SPDX-License-Identifier: Apache-2.0
// What back ends (and other front ends) ask of a front end: membership, reports, load transactions.
include "backend_service.thrift"
include "status.thrift"
namespace cpp thetis.wire
namespace java org.thetis.wire.thrift

struct RegisterBackendRequest {
  1: required string host
  2: required i32 heartbeat_port
  3: optional i64 cluster_id          // 0 or absent: never joined
  4: optional string token
}

struct RegisterBackendReply {
  1: required status.StatusReply status
  2: optional i64 backend_id
}

struct ReportRequest {
  1: required i64 backend_id
  2: required string token
  3: required i64 report_version
  4: optional list<backend_service.ReplicaReport> replicas   // all replicas when full
  5: optional bool full
  6: optional list<backend_service.DiskReport> disks
}

struct LoadAuth {
  1: required string user
  2: required string password
  3: optional string client_host
  4: optional string token            // the cluster's, instead of a password
}

struct LoadBeginRequest {
  1: required LoadAuth auth
  2: required string db
  3: required string table
  4: required string label
  5: required i64 backend_id
  6: required status.UniqueId load_id
  7: required map<string, string> headers   // lower-case names, as the client sent them
  8: optional i64 body_bytes                // -1: chunked
}

struct LoadBeginReply {
  1: required status.StatusReply status
  2: optional i64 txn_id
  3: optional string existing_job_status    // with LABEL_ALREADY_EXISTS
  4: optional binary exec_plan              // plan.ExecPlan, Thrift compact
  5: optional i64 timeout_ms
  6: optional i64 db_id
  7: optional i64 table_id
  8: optional double max_filter_ratio
}

/** A replica that holds the transaction's rowset. */
struct TabletCommit {
  1: required i64 tablet_id
  2: required i64 backend_id
}

struct LoadCommitRequest {
  1: required LoadAuth auth
  2: required i64 db_id
  3: required i64 txn_id
  4: required list<TabletCommit> tablets
  5: required i64 loaded_rows
  6: required i64 filtered_rows
  7: required i64 loaded_bytes
  8: optional bool two_phase                // pre-commit only
  9: optional i64 unselected_rows
  10: optional string error_url
}

struct LoadCommitReply {
  1: required status.StatusReply status
  2: optional bool visible                  // false: committed, publish still running
}

struct LoadAbortRequest {
  1: required LoadAuth auth
  2: required i64 db_id
  3: required i64 txn_id
  4: optional string reason
}

struct LoadFinishRequest {
  1: required LoadAuth auth
  2: required string db
  3: optional i64 txn_id
  4: optional string label
  5: required bool commit                   // false: abort
}

struct LoadFinishReply {
  1: required status.StatusReply status
}

service FrontendService {
  RegisterBackendReply register_backend(1: RegisterBackendRequest request)
  status.StatusReply report(1: ReportRequest request)
  LoadBeginReply load_begin(1: LoadBeginRequest request)
  LoadCommitReply load_commit(1: LoadCommitRequest request)
  status.StatusReply load_abort(1: LoadAbortRequest request)
  /** Second phase of a two-phase load, by transaction or label. */
  LoadFinishReply load_finish(1: LoadFinishRequest request)
}
