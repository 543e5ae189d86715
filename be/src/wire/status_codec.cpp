// SPDX-License-Identifier: Apache-2.0
#include "wire/status_codec.h"

#include "service_fragment.pb.h"
#include "status_types.h"

namespace thetis {

wire::StatusReply to_thrift(const Status& status) {
    wire::StatusReply reply;
    reply.code = static_cast<int32_t>(status.code());
    if (!status.ok()) {
        reply.__set_message(std::string(status.message()));
    }
    return reply;
}

Status from_thrift(const wire::StatusReply& reply) {
    return {static_cast<ErrorCode>(reply.code), reply.message};
}

void to_proto(const Status& status, pb::StatusReply& reply) {
    reply.set_code(static_cast<int32_t>(status.code()));
    if (!status.ok()) {
        reply.set_message(std::string(status.message()));
    }
}

Status from_proto(const pb::StatusReply& reply) {
    return {static_cast<ErrorCode>(reply.code()), reply.message()};
}

}  // namespace thetis
