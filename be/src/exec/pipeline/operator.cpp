// SPDX-License-Identifier: Apache-2.0
#include "exec/pipeline/operator.h"

namespace thetis {

Status MapTransform::accept(Batch batch) {
    RETURN_IF_ERROR(apply(batch));
    held_ = std::move(batch);
    has_held_ = true;
    return {};
}

Status MapTransform::finish_input() {
    input_finished_ = true;
    return {};
}

Result<Poll> MapTransform::next(Batch& batch) {
    if (has_held_) {
        batch = std::move(held_);
        held_ = {};
        has_held_ = false;
        return Poll::batch();
    }
    return input_finished_ ? Poll::finished() : Poll::blocked(nullptr);
}

}  // namespace thetis
