// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"

namespace thetis::wire {
class StatusReply;
}

namespace thetis::pb {
class StatusReply;
}

namespace thetis {

/// Status as it crosses process borders, in both wire forms. Numbers are those of the error
/// catalog; an unknown number is kept.
wire::StatusReply to_thrift(const Status& status);
Status from_thrift(const wire::StatusReply& reply);
void to_proto(const Status& status, pb::StatusReply& reply);
Status from_proto(const pb::StatusReply& reply);

}  // namespace thetis
