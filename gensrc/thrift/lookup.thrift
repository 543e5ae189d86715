// SPDX-License-Identifier: Apache-2.0
// A prepared key look-up: sent once per back end inside LookupRequest.plan, then named by its id.
include "descriptors.thrift"
include "expr.thrift"
include "plan.thrift"
include "types.thrift"
namespace cpp thetis.wire
namespace java org.thetis.wire.thrift

/** Rows of one merge-on-write UNIQUE table by their whole keys. Slots of the expressions: the named columns, then the parameters. */
struct LookupPlan {
  1: required descriptors.TabletSchemaDesc schema
  2: required list<i32> column_unique_ids
  3: required list<types.DataTypeDesc> parameter_types
  4: required list<expr.Expr> outputs
  5: optional list<expr.Expr> conjuncts       // what else must hold of a row
  6: required plan.QueryOptions options       // time zone and session variables; time-dependent functions are not in look-ups
}
