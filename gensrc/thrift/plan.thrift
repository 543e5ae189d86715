// SPDX-License-Identifier: Apache-2.0
// Fragments of a distributed plan. One struct per operator; expressions refer to the operator's input by position.
include "descriptors.thrift"
include "expr.thrift"
include "status.thrift"
include "types.thrift"
namespace cpp thetis.wire
namespace java org.thetis.wire.thrift

enum JoinKind {
  INNER = 0
  LEFT_OUTER = 1
  RIGHT_OUTER = 2
  FULL_OUTER = 3
  LEFT_SEMI = 4
  LEFT_ANTI = 5
  RIGHT_SEMI = 6
  RIGHT_ANTI = 7
  NULL_AWARE_LEFT_ANTI = 8
  CROSS = 9
}

enum AggregatePhase {
  SINGLE = 0    // rows in, results out
  PARTIAL = 1   // rows in, states out
  FINAL = 2     // states in, results out
  MERGE = 3     // states in, states out
}

struct SortKey {
  1: required expr.Expr expression
  2: required bool ascending
  3: required bool nulls_first
}

/** A filter built by a hash join and applied by a scan of the same fragment. */
struct RuntimeFilterSource {
  1: required i32 filter_id
  2: required i32 key_index           // which equality
}

struct RuntimeFilterTarget {
  1: required i32 filter_id
  2: required expr.Expr probe         // over the scan's output
}

/** Reads tablets. Output: the named columns in order. Conjuncts see that output; the back end takes from them what its indexes can use. */
struct TabletScan {
  1: required descriptors.TabletSchemaDesc schema
  2: required list<i32> column_unique_ids
  3: optional list<expr.Expr> conjuncts
  4: optional list<RuntimeFilterTarget> runtime_filters
  5: optional string table_name
  6: optional bool count_only         // only the number of rows matters: no column is read
  7: optional bool skip_merge         // AGGREGATE and merge-on-read UNIQUE: rows of one key may come apart (PREAGGREGATION: ON)
  8: optional bool skip_delete_bitmap // merge-on-write: also rows that were replaced (debugging)
  9: optional bool skip_delete_predicate  // also rows that a DELETE took (debugging)
}

/** Reads the load body the back end received: text of the given format into the named source columns (VARCHAR, or typed for JSON). */
struct StreamScan {
  1: required string format                  // csv, json
  2: required map<string, string> properties // column_separator, line_delimiter, enclose, escape, jsonpaths, ...
  3: required list<string> source_columns
  4: optional string compression             // gz, lz4, zstd, ...
}

/** Conversion of stream columns into table columns, reporting bad rows by number instead of failing. Followed by TableSink. */
struct LoadProject {
  1: required list<expr.Expr> expressions    // one per table column, over source columns then earlier temporaries
  2: optional list<expr.Expr> temporaries    // computed first, appended to the source columns
  3: optional expr.Expr where                // over table columns; rows that fail are "unselected"
  4: required bool strict_mode
  5: required list<string> column_names
  6: optional list<i32> source_of            // position of the source column that feeds a table column directly, -1 if computed
}

/** The literals of one column, packed, little-endian. */
struct LiteralColumn {
  1: required binary values     // 8 bytes a row: int_value of expr.Literal, and double_value; 16: int128_value; byte types: bytes_value of all rows end to end
  2: optional binary lengths    // byte types, and only they: i32 a row, their sum is the size of values
  3: optional binary nulls      // a byte a row, other than 0 where the value is NULL; absent: none is
}

/** A column with a value that is no literal: one constant expression a row. */
struct ExprColumn {
  1: required list<expr.Expr> expressions
}

union ValueColumn {
  1: LiteralColumn literals
  2: ExprColumn expressions
}

/** Rows of the statement, by columns; rows may have none. */
struct Values {
  1: required i64 num_rows
  2: required list<ValueColumn> columns
}

struct Filter {
  1: required list<expr.Expr> conjuncts
}

struct Project {
  1: required list<expr.Expr> expressions
}

/** children: probe (left), build (right). Output: left columns then right columns (semi and anti: one side), then projected by output_positions. */
struct HashJoin {
  1: required JoinKind kind
  2: required list<expr.Expr> probe_keys     // over the left child
  3: required list<expr.Expr> build_keys     // over the right child
  4: optional list<bool> null_safe           // <=> per key
  5: optional list<expr.Expr> other_conjuncts  // over left ++ right
  6: optional list<i32> output_positions     // over left ++ right; absent: all of the kind's output
  7: optional list<RuntimeFilterSource> runtime_filters
}

/** Like HashJoin without equalities. */
struct NestedLoopJoin {
  1: required JoinKind kind
  2: optional list<expr.Expr> conjuncts
  3: optional list<i32> output_positions
}

struct AggregateCall {
  1: required string name                       // catalog name
  2: required list<expr.Expr> arguments         // over the input; FINAL and MERGE: one slot, the state column
  3: required types.DataTypeDesc result_type
  4: required types.DataTypeDesc state_type
  5: required list<types.DataTypeDesc> argument_types  // of the original call, in every phase
  6: optional bool distinct
  7: optional list<expr.Literal> constants      // literal arguments (separator, percentile) in call order
}

/** Output: group keys, then one column per call. No group keys: one row, also for empty input (not in PARTIAL). */
struct Aggregate {
  1: required AggregatePhase phase
  2: required list<expr.Expr> group_by
  3: required list<AggregateCall> calls
}

struct Sort {
  1: required list<SortKey> keys
}

struct TopN {
  1: required list<SortKey> keys
  2: required i64 limit
  3: required i64 offset
}

struct Limit {
  1: required i64 limit     // -1: none
  2: required i64 offset
}

/** UNION ALL of its children, which already have equal types. */
struct UnionAll {
}

/** Receives from another fragment; merging when keys are given (senders send sorted). */
struct ExchangeSource {
  1: required i32 exchange_id
  2: optional list<SortKey> merge_keys
  3: optional i64 limit
  4: optional i64 offset
}

/** Fails when its child gives more rows than allowed (scalar subqueries); pads with one NULL row when empty and asked to. */
struct AssertRows {
  1: required i64 max_rows
  2: required bool pad_empty
  3: optional string message
}

/** Emits each input row once per grouping set, nulling the absent keys, with the grouping id appended (BIGINT). */
struct Repeat {
  1: required list<list<i32>> keep_positions
  2: required list<i32> key_positions
  3: required list<i64> grouping_ids
}

struct WindowCall {
  1: required string name
  2: required list<expr.Expr> arguments
  3: required types.DataTypeDesc result_type
  4: required list<types.DataTypeDesc> argument_types
  5: optional list<expr.Literal> constants
  6: optional bool rows_frame
  7: optional i64 frame_start      // offset from the current row; absent: unbounded preceding
  8: optional i64 frame_end        // absent: unbounded following
  9: optional bool whole_partition
}

/** Input is sorted by partition keys then order keys. Output: input columns, then one per call. */
struct Window {
  1: required list<expr.Expr> partition_by
  2: required list<SortKey> order_by
  3: required list<WindowCall> calls
}

/** No rows. */
struct EmptySet {
}

/** numbers("number"="n") and kin. */
struct TableFunctionScan {
  1: required string name
  2: required map<string, string> properties
}

union PlanOperator {
  1: TabletScan tablet_scan
  2: StreamScan stream_scan
  3: LoadProject load_project
  4: Values values
  5: Filter filter
  6: Project project
  7: HashJoin hash_join
  8: NestedLoopJoin nested_loop_join
  9: Aggregate aggregate
  10: Sort sort
  11: TopN top_n
  12: Limit limit
  13: UnionAll union_all
  14: ExchangeSource exchange_source
  15: AssertRows assert_rows
  16: Repeat repeat
  17: Window window
  18: EmptySet empty_set
  19: TableFunctionScan table_function_scan
}

struct PlanNode {
  1: required i32 id
  2: required PlanOperator op
  3: required list<types.DataTypeDesc> output_types
  4: optional list<PlanNode> children
  5: optional i64 estimated_rows
}

/** Encodes rows as MySQL packets for the front end to fetch. */
struct ResultSink {
  1: required bool binary_rows
}

enum ExchangeKind {
  GATHER = 0
  BROADCAST = 1
  HASH = 2             // by hash of the keys, receiver = hash % receivers
  BUCKET = 3           // by bucket hash of the keys, receiver = bucket_owner[bucket]
  ROUND_ROBIN = 4
}

struct ExchangeDestination {
  1: required descriptors.BackendDesc backend
}

struct ExchangeSink {
  1: required i32 exchange_id
  2: required i32 destination_fragment
  3: required ExchangeKind kind
  4: optional list<expr.Expr> keys
  5: required list<ExchangeDestination> destinations
  6: optional list<i32> bucket_owner         // BUCKET: index into destinations per bucket
}

/** A further index of the same table that every load writes too: the shadow of a schema change that is under way. */
struct IndexSink {
  1: required descriptors.TabletSchemaDesc schema
  2: required list<expr.Expr> expressions          // one per column the shadow's writer takes, over the sink's input
  3: required map<i64, list<descriptors.TabletLocation>> tablets   // partition id -> by bucket
  4: optional list<i32> column_unique_ids          // what the expressions make; absent: all columns but the version and row-store columns
  5: optional bool partial_update                  // as in TableSink
  6: optional bool partial_update_existing_only
  7: optional map<i32, expr.Expr> new_values
}

/** Writes rows to the table's tablets under a transaction. Input: column_unique_ids, or all columns of the schema, in order, but for the version and row-store columns. */
struct TableSink {
  1: required i64 txn_id
  2: required i64 db_id
  3: required string table_name
  4: required descriptors.TabletSchemaDesc schema
  5: required descriptors.TablePartitionsDesc partitions
  6: required list<descriptors.BackendDesc> backends
  7: required status.UniqueId load_id
  8: required bool strict_mode
  9: required i64 timeout_ms
  10: optional double max_filter_ratio
  11: optional bool load_to_single_tablet
  12: optional i32 num_senders = 1           // back ends that run this sink; receivers commit when all of them closed
  13: optional list<i32> column_unique_ids   // the columns the input has; others take their default, or in a partial update what the old row has
  14: optional bool partial_update           // merge-on-write: absent columns keep the value of the row with the same key
  15: optional bool partial_update_existing_only  // a key that is not there yet is a bad row instead of a new one
  16: optional list<IndexSink> further_indexes
  17: optional map<i32, expr.Expr> new_values    // partial update: constants that a new row has in columns that are not sent, by unique id; others: ColumnDesc.default_value, else NULL
  30: optional list<i32> unconverted         // per column, the position behind them in the input of the value it was converted from, or -1; in strict mode a value that became NULL is a bad row
}

union PlanSink {
  1: ResultSink result
  2: ExchangeSink exchange
  3: TableSink table
}

struct FragmentPlan {
  1: required i32 id
  2: required PlanNode root
  3: required PlanSink sink
}

struct TabletScanRange {
  1: required i64 tablet_id
  2: required i64 version
  3: optional i32 bucket      // for colocated plans
}

/** What differs between back ends for one fragment. */
struct FragmentInstance {
  1: required i32 fragment_id
  2: required map<i32, list<TabletScanRange>> scan_ranges   // plan node id -> tablets
  3: required map<i32, i32> num_senders                     // exchange id -> number of sending back ends
  4: required i32 sender_id                                 // of this back end, for its exchange sink
}

/** Sent once per (query, back end). */
struct QueryOptions {
  1: required i32 batch_size = 4096
  2: required i32 parallel_tasks = 0        // pipeline tasks per fragment; 0: one per core
  3: required i64 mem_limit_bytes
  4: required i64 timeout_ms
  5: required string time_zone
  6: required i64 now_micros                // statement time, microseconds since epoch, UTC
  7: optional map<string, string> variables // session variables the back end reads
  8: optional bool check_overflow_for_decimal
  9: optional bool enable_profile
}

struct ExecPlan {
  1: required status.UniqueId query_id
  2: required i64 coordinator_epoch         // the front end's process epoch, from the heartbeat
  3: required status.NetworkAddress coordinator
  4: required i64 backend_id
  5: required QueryOptions options
  6: required list<FragmentPlan> fragments
  7: required list<FragmentInstance> instances
}
