// SPDX-License-Identifier: Apache-2.0
#include "server/allocator_settings.h"

#include <gperftools/malloc_extension_c.h>

// Weak: the sanitizer builds and the tests do not link tcmalloc, and then these are null.
extern "C" {
__attribute__((weak)) int MallocExtension_GetNumericProperty(const char* property, size_t* value);
__attribute__((weak)) int MallocExtension_SetNumericProperty(const char* property, size_t value);
__attribute__((weak)) void MallocExtension_ReleaseToSystem(size_t num_bytes);
}

namespace thetis {

void apply_allocator_settings(const ServerSettings& settings) {
    if (&MallocExtension_SetNumericProperty == nullptr) {
        return;
    }
    MallocExtension_SetNumericProperty(
        "tcmalloc.aggressive_memory_decommit",
        settings.tc_enable_aggressive_memory_decommit() ? 1 : 0
    );
    MallocExtension_SetNumericProperty(
        "tcmalloc.max_total_thread_cache_bytes",
        static_cast<size_t>(settings.tc_max_total_thread_cache_bytes())
    );
}

void release_free_memory(const ServerSettings& settings) {
    size_t used = 0;
    size_t cached = 0;
    if (&MallocExtension_GetNumericProperty == nullptr ||
        MallocExtension_GetNumericProperty("generic.current_allocated_bytes", &used) == 0 ||
        MallocExtension_GetNumericProperty("tcmalloc.pageheap_free_bytes", &cached) == 0) {
        return;
    }
    auto total = static_cast<int64_t>(used + cached);
    int64_t kept = total / 100 * settings.tc_free_memory_rate();
    if (total > settings.tc_use_memory_min() && static_cast<int64_t>(cached) > kept) {
        MallocExtension_ReleaseToSystem(cached - static_cast<size_t>(kept));
    }
}

}  // namespace thetis
