// SPDX-License-Identifier: Apache-2.0
#include "exec/fragment_builder.h"
#include "gen_thrift/plan_types.h"

namespace thetis {

Result<Chain> FragmentBuilder::build_window(const wire::PlanNode& node) {
    return Status::error(ErrorCode::kNotSupported, "window functions (plan node {})", node.id);
}

}  // namespace thetis
