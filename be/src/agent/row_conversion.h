// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "storage/engine/row_transform.h"

namespace thetis::wire {
class Expr;
}

namespace thetis {

struct FunctionRegistries;

/// The transform of a schema change: expression i makes column i of what the shadow's writer takes,
/// from rows of `base`. A cast that makes NULL of a value is an error that names the value.
Result<std::shared_ptr<const RowTransform>> make_row_conversion(
    const TabletSchema& base,
    const TabletSchema& shadow,
    const std::vector<wire::Expr>& expressions,
    const FunctionRegistries& functions
);

}  // namespace thetis
