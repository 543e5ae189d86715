// SPDX-License-Identifier: Apache-2.0
#include "query/lookup/lookup_service.h"

#include "base/status.h"
#include "service_lookup.pb.h"

namespace thetis {

class LookupService::Engine {};

LookupService::LookupService(
    const StorageEngine& /*storage*/,
    const FunctionRegistries& /*functions*/,
    MetricRegistry* /*metrics*/,
    LookupOptions /*options*/
)
    : engine_(std::make_unique<Engine>()) {}

LookupService::~LookupService() = default;

void LookupService::lookup(
    const pb::LookupRequest& /*request*/, pb::LookupReply& reply, std::string& /*rows*/
) {
    reply.set_code(static_cast<int32_t>(ErrorCode::kNotSupported));
    reply.set_message("Key look-ups are not served yet");
}

}  // namespace thetis
