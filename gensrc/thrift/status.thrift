// SPDX-License-Identifier: Apache-2.0
// Outcome of every call between processes. Numbers are those of gensrc/catalog/errors.toml; 0 is success.
namespace cpp thetis.wire
namespace java org.thetis.wire.thrift

struct StatusReply {
  1: required i32 code
  2: optional string message
}

/** Where a service listens. */
struct NetworkAddress {
  1: required string host
  2: required i32 port
}

/** 128-bit id of a query, a load or a fragment. */
struct UniqueId {
  1: required i64 high
  2: required i64 low
}
