// SPDX-License-Identifier: Apache-2.0
// What a back end must know of a table: columns, partitions, tablets and where they are.
include "expr.thrift"
include "status.thrift"
include "types.thrift"
namespace cpp thetis.wire
namespace java org.thetis.wire.thrift

enum KeysModel {
  DUPLICATE = 0
  AGGREGATE = 1
  UNIQUE = 2
}

/** A column of a table's schema; unique_id never changes for the life of the column. */
struct ColumnDesc {
  1: required i32 unique_id
  2: required string name
  3: required types.DataTypeDesc type
  4: required bool is_key
  5: optional string aggregation            // NONE, SUM, MIN, MAX, REPLACE, REPLACE_IF_NOT_NULL
  6: optional expr.Literal default_value    // for rows written before the column existed, and for loads that leave it out
  7: optional bool has_default
  8: optional bool is_bloom_filter
  9: optional bool is_hidden               // not part of SELECT *, see TabletSchemaDesc
}

struct TabletSchemaDesc {
  1: required i64 table_id
  2: required i64 index_id
  3: required i32 schema_version
  4: required KeysModel keys_model
  5: required list<ColumnDesc> columns
  6: required i32 num_short_key_columns
  7: optional string compression            // LZ4, ZSTD, NONE
  8: optional double bloom_filter_fpp
  9: optional map<string, string> properties
  10: optional bool merge_on_write           // UNIQUE: delete bitmaps at publish; otherwise rows are merged when read
  // Hidden columns, by unique id; they stand after the visible ones.
  11: optional i32 delete_sign_id            // __DORIS_DELETE_SIGN__ TINYINT: 1 marks the key as deleted
  12: optional i32 sequence_id               // __DORIS_SEQUENCE_COL__: of rows with one key the largest wins
  13: optional i32 version_id                // __DORIS_VERSION_COL__ BIGINT: filled in by the back end
  14: optional i32 row_store_id              // __DORIS_ROW_STORE_COL__ VARCHAR: encoded by the back end at flush
  15: optional list<i32> row_store_column_ids  // what the row store holds; absent: every visible column
}

struct BackendDesc {
  1: required i64 id
  2: required string host
  3: required i32 brpc_port   // gRPC data plane
  4: required i32 be_port
  5: required i32 http_port
}

/** One partition key: literals in partition column order. An absent upper bound is MAXVALUE, an absent lower bound is the minimum. */
struct PartitionKey {
  1: required list<expr.Literal> values
}

struct TabletLocation {
  1: required i64 tablet_id
  2: required list<i64> backend_ids   // replicas
}

struct PartitionDesc {
  1: required i64 partition_id
  2: required string name
  3: optional PartitionKey lower      // RANGE: inclusive
  4: optional PartitionKey upper      // RANGE: exclusive
  5: optional list<PartitionKey> in_keys   // LIST
  6: required i32 num_buckets
  7: required list<TabletLocation> tablets // by bucket
}

enum PartitionKind {
  UNPARTITIONED = 0
  RANGE = 1
  LIST = 2
}

struct TablePartitionsDesc {
  1: required PartitionKind kind
  2: required list<i32> partition_columns      // positions in the sink's input batch (= schema columns)
  3: required list<i32> distribution_columns   // positions; empty: RANDOM
  4: required list<PartitionDesc> partitions
}
