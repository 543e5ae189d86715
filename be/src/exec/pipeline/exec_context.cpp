// SPDX-License-Identifier: Apache-2.0
#include "exec/pipeline/exec_context.h"

namespace thetis {

Status ExecContext::cancel_reason() const {
    std::lock_guard lock(mutex_);
    return reason_;
}

bool ExecContext::set_cancelled(const Status& reason) {
    std::vector<std::function<void(const Status&)>> actions;
    {
        std::lock_guard lock(mutex_);
        if (!reason_.ok()) {
            return false;
        }
        reason_ = reason.ok() ? Status(ErrorCode::kCancelled, "query cancelled") : reason;
        actions.swap(cancel_actions_);
        cancelled_.store(true, std::memory_order_release);
    }
    for (auto& action : actions) {
        action(reason);
    }
    return true;
}

void ExecContext::on_cancel(std::function<void(const Status&)> action) {
    Status reason;
    {
        std::lock_guard lock(mutex_);
        if (reason_.ok()) {
            cancel_actions_.push_back(std::move(action));
            return;
        }
        reason = reason_;
    }
    action(reason);
}

}  // namespace thetis
