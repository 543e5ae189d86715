// SPDX-License-Identifier: Apache-2.0
// Tasks a front end gives to a back end. Every call is synchronous, idempotent by id, and bounded by the caller's deadline.
include "descriptors.thrift"
include "status.thrift"
namespace cpp thetis.wire
namespace java org.thetis.wire.thrift

struct CreateTablet {
  1: required i64 tablet_id
  2: required i64 partition_id
  3: required i64 replica_id
  4: required descriptors.TabletSchemaDesc schema
  5: optional i64 version = 1           // the tablet starts with an empty rowset [0-version]
}

struct CreateTabletsRequest {
  1: required string token
  2: required list<CreateTablet> tablets
}

struct DropTabletsRequest {
  1: required string token
  2: required list<i64> tablet_ids
}

struct TabletFailure {
  1: required i64 tablet_id
  2: required status.StatusReply status
}

struct TabletTasksReply {
  1: required status.StatusReply status      // OK when every tablet succeeded
  2: optional list<TabletFailure> failures
}

struct PartitionVersion {
  1: required i64 partition_id
  2: required i64 version
  3: required list<i64> tablet_ids
}

struct PublishVersionRequest {
  1: required string token
  2: required i64 txn_id
  3: required list<PartitionVersion> partitions
}

struct ClearTransactionsRequest {
  1: required string token
  2: required list<i64> txn_ids
}

struct ReplicaReport {
  1: required i64 tablet_id
  2: required i64 version                 // largest contiguous from 0
  3: required i64 num_rows
  4: required i64 data_size_bytes
  5: required bool version_miss
  6: required bool used
  7: required i64 num_versions
  8: optional i32 schema_version
  9: optional i64 partition_id
}

struct DiskReport {
  1: required string path
  2: required i64 total_bytes
  3: required i64 available_bytes
  4: required i64 used_bytes
  5: required bool used
}

struct TabletStatistics {
  1: required list<ReplicaReport> replicas
}

service BackendService {
  TabletTasksReply create_tablets(1: CreateTabletsRequest request)
  TabletTasksReply drop_tablets(1: DropTabletsRequest request)
  TabletTasksReply publish_version(1: PublishVersionRequest request)
  status.StatusReply clear_transactions(1: ClearTransactionsRequest request)
  /** Rows, sizes and versions of the named tablets, or of all when the list is empty. */
  TabletStatistics get_tablet_statistics(1: list<i64> tablet_ids)
}
