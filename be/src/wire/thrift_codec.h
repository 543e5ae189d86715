// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace thetis::wire {
class DeletePredicate;
class ExecPlan;
class LookupPlan;
class TabletSchemaDesc;
}  // namespace thetis::wire

namespace thetis {

/// Thrift compact bytes of structs that travel inside protobuf envelopes. Decoding bounds message
/// size and nesting, and turns every malformed input into a `corruption` status; trailing bytes are
/// refused too.
Status decode_compact(std::string_view bytes, wire::ExecPlan& plan);
Status decode_compact(std::string_view bytes, wire::LookupPlan& plan);
Status decode_compact(std::string_view bytes, wire::TabletSchemaDesc& schema);
Status decode_compact(std::string_view bytes, wire::DeletePredicate& predicate);

Result<std::string> encode_compact(const wire::ExecPlan& plan);
Result<std::string> encode_compact(const wire::LookupPlan& plan);
Result<std::string> encode_compact(const wire::TabletSchemaDesc& schema);
Result<std::string> encode_compact(const wire::DeletePredicate& predicate);

}  // namespace thetis
