// SPDX-License-Identifier: Apache-2.0
// Bound, typed expressions. A slot is a position in the operator's input batch. Every cast is explicit.
include "types.thrift"
namespace cpp thetis.wire
namespace java org.thetis.wire.thrift

/** A constant of the expression's type; which field is set follows the type's physical form. */
struct Literal {
  1: required bool is_null
  2: optional i64 int_value        // BOOLEAN .. BIGINT, DATE (days), DATETIME and TIME (microseconds), DECIMAL of <= 18 digits
  3: optional double double_value  // FLOAT, DOUBLE
  4: optional binary bytes_value   // CHAR, VARCHAR, STRING, JSON
  5: optional binary int128_value  // LARGEINT, DECIMAL of > 18 digits: 16 bytes little-endian two's complement
}

struct SlotRef {
  1: required i32 position
}

/** A scalar function by its catalog name; arguments are the expression's children, already cast to the chosen signature. */
struct FunctionCall {
  1: required string name
}

/** Converts its one child to the expression's type, as SQL CAST does (a failed conversion is NULL). */
struct Cast {
}

/** AND or OR of its children with three-valued logic; evaluation stops early per row where it can. */
struct Connective {
  1: required bool is_and
}

/** children: [operand,] when1, then1, when2, then2, ... [, else] */
struct CaseWhen {
  1: required bool has_operand
  2: required bool has_else
}

/** children: the tested value, then constants of the same type. */
struct InList {
  1: required bool negated
}

union ExprNode {
  1: Literal literal
  2: SlotRef slot
  3: FunctionCall call
  4: Cast cast
  5: Connective connective
  6: CaseWhen case_when
  7: InList in_list
}

struct Expr {
  1: required ExprNode node
  2: required types.DataTypeDesc type
  3: optional list<Expr> children
}
