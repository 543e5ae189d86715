// SPDX-License-Identifier: Apache-2.0
// Tasks a front end gives to a back end. Every call is synchronous, idempotent by id, and bounded by the caller's deadline.
include "descriptors.thrift"
include "expr.thrift"
include "status.thrift"
namespace cpp thetis.wire
namespace java org.thetis.wire.thrift

struct CreateTablet {
  1: required i64 tablet_id
  2: required i64 partition_id
  3: required i64 replica_id
  4: required descriptors.TabletSchemaDesc schema
  5: optional i64 version = 1           // the tablet starts with an empty rowset [0-version]
  6: optional bool is_shadow            // of a schema change: takes versions before its history is converted
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

/** What a tablet's segments know of a column; for planning. Bounds: numbers; days or microseconds of dates and times. */
struct ColumnStatistics {
  1: required i64 tablet_id
  2: required i32 column_unique_id
  3: optional double min
  4: optional double max
  5: required i64 num_distinct        // an upper guess; negative: unknown
}

struct TabletStatistics {
  1: required list<ReplicaReport> replicas
  30: optional list<ColumnStatistics> columns
}

/** Rows for which every conjunct is true are deleted. Slots are positions in column_unique_ids. */
struct DeletePredicate {
  1: required list<i32> column_unique_ids
  2: required list<expr.Expr> conjuncts
  3: required string text                 // as SQL, for SHOW DELETE
}

/** Leaves in every tablet a COMMITTED rowset without rows that hides what the predicate matches in lower versions once it is published. */
struct DeleteDataRequest {
  1: required string token
  2: required i64 txn_id
  3: required list<i64> tablet_ids
  4: required DeletePredicate predicate
  30: optional descriptors.TabletSchemaDesc schema   // what the predicate is over; absent: the tablet's own
}

/** One tablet of a schema change: rows of the base tablet up to `version` are converted into the shadow tablet as [2-version]. */
struct AlterTablet {
  1: required i64 base_tablet_id
  2: required i64 shadow_tablet_id
  3: required i64 version
  4: required descriptors.TabletSchemaDesc base_schema
  5: required list<expr.Expr> expressions // one per column the shadow's writer takes, over the base schema's columns
}

struct AlterTabletsRequest {
  1: required string token
  2: required i64 job_id
  3: required list<AlterTablet> tablets
}

enum AlterState {
  UNKNOWN = 0
  RUNNING = 1
  FINISHED = 2
  FAILED = 3
}

struct AlterProgress {
  1: required i64 shadow_tablet_id
  2: required AlterState state
  3: optional status.StatusReply status
}

service BackendService {
  TabletTasksReply create_tablets(1: CreateTabletsRequest request)
  TabletTasksReply drop_tablets(1: DropTabletsRequest request)
  TabletTasksReply publish_version(1: PublishVersionRequest request)
  status.StatusReply clear_transactions(1: ClearTransactionsRequest request)
  TabletTasksReply delete_data(1: DeleteDataRequest request)
  /** Starts or resumes conversions and returns at once; idempotent by shadow tablet. */
  TabletTasksReply alter_tablets(1: AlterTabletsRequest request)
  list<AlterProgress> alter_progress(1: list<i64> shadow_tablet_ids)
  /** Stops the conversions of a job; their shadow tablets are dropped by drop_tablets. */
  status.StatusReply cancel_alter(1: string token, 2: i64 job_id)
  /** Rows, sizes and versions of the named tablets, or of all when the list is empty. */
  TabletStatistics get_tablet_statistics(1: list<i64> tablet_ids, 2: list<i32> column_unique_ids)
}
