// SPDX-License-Identifier: Apache-2.0
#include "server/allocator_settings.h"

#include <gperftools/malloc_extension.h>

// Weak: the sanitizer builds and the tests do not link tcmalloc.
#pragma weak _ZN15MallocExtension8instanceEv

namespace thetis {

namespace {

MallocExtension* find_allocator() {
    auto* instance = &MallocExtension::instance;
    return instance == nullptr ? nullptr : instance();
}

}  // namespace

void apply_allocator_settings(const ServerSettings& settings) {
    MallocExtension* allocator = find_allocator();
    if (allocator == nullptr) {
        return;
    }
    allocator->SetNumericProperty("tcmalloc.aggressive_memory_decommit", settings.tc_enable_aggressive_memory_decommit() ? 1 : 0);
    allocator->SetNumericProperty("tcmalloc.max_total_thread_cache_bytes", static_cast<size_t>(settings.tc_max_total_thread_cache_bytes()));
}

void release_free_memory(const ServerSettings& settings) {
    MallocExtension* allocator = find_allocator();
    size_t used = 0;
    size_t cached = 0;
    if (allocator == nullptr || !allocator->GetNumericProperty("generic.current_allocated_bytes", &used) || !allocator->GetNumericProperty("tcmalloc.pageheap_free_bytes", &cached)) {
        return;
    }
    auto total = static_cast<int64_t>(used + cached);
    int64_t kept = total / 100 * settings.tc_free_memory_rate();
    if (total > settings.tc_use_memory_min() && static_cast<int64_t>(cached) > kept) {
        allocator->ReleaseToSystem(cached - static_cast<size_t>(kept));
    }
}

}  // namespace thetis
