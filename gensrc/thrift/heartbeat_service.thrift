// SPDX-License-Identifier: Apache-2.0
// The master front end asks each back end for its life signs; the back end learns who the master is.
include "status.thrift"
namespace cpp thetis.wire
namespace java org.thetis.wire.thrift

struct HeartbeatRequest {
  1: required i64 cluster_id
  2: required string token
  3: required status.NetworkAddress master      // Thrift address of the master front end
  4: required i32 master_http_port
  5: required i64 master_epoch                  // changes at each start of the master process
  6: required i64 backend_id
  7: required string backend_host               // the host the front end knows this back end by
}

struct HeartbeatReply {
  1: required status.StatusReply status
  2: optional i32 be_port
  3: optional i32 http_port
  4: optional i32 brpc_port
  5: optional string version
  6: optional i64 start_time_ms
  7: optional i64 process_epoch
  8: optional i64 num_cores
  9: optional i64 memory_bytes
}

service HeartbeatService {
  HeartbeatReply heartbeat(1: HeartbeatRequest request)
}
