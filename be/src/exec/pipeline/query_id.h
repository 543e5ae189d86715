// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/unique_id.h"

namespace thetis {

/// Names one execution of a statement (or one load) on every back end it touches.
using QueryId = UniqueId;

}  // namespace thetis
