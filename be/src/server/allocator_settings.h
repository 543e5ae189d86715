// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/be_settings.gen.h"

namespace thetis {

/// Applies the tc_* keys to tcmalloc; does nothing when another allocator is linked (sanitizers).
void apply_allocator_settings(const ServerSettings& settings);

/// Gives free memory back to the system when tc_use_memory_min and tc_free_memory_rate say so.
/// Called now and then.
void release_free_memory(const ServerSettings& settings);

}  // namespace thetis
