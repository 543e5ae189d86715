// SPDX-License-Identifier: Apache-2.0
// Logical types on the wire. Ids are those of gensrc/catalog/types.toml.
namespace cpp thetis.wire
namespace java org.thetis.wire.thrift

struct DataTypeDesc {
  1: required i32 id
  2: optional i32 length      // CHAR, VARCHAR: bytes
  3: optional i32 precision   // DECIMAL
  4: optional i32 scale       // DECIMAL, DATETIME, TIME
  5: required bool nullable = true
  6: optional list<DataTypeDesc> children
  7: optional list<string> child_names
}
