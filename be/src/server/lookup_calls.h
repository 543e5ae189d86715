// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/baidu/call_handler.h"

namespace thetis {

class DebugPoints;
class LookupService;

/// Serves thetis.pb.LookupService (gensrc/proto/service_lookup.proto) out of `lookups`. Both
/// outlive the server; `debug_points` may be null.
CallService make_lookup_calls(LookupService& lookups, DebugPoints* debug_points);

}  // namespace thetis
