// SPDX-License-Identifier: Apache-2.0
#include "base/memory/tracker.h"
#include "query/fragment_manager.h"
#include "server/http_router.h"
#include "server/http_services.h"
#include "storage/engine/storage_engine.h"

namespace thetis {

/// GET /mem_tracker: who holds memory, as a plain table.
void register_mem_tracker_endpoint(HttpRouter& router) {
    router.add(
        "GET",
        "/mem_tracker",
        [&services = router.services()](const HttpRequest&, HttpReply& reply) {
            const auto& process = *services.process_memory;
            std::string text = fmt::format(
                "{:<16} {:>16} {:>16} {:>16}\n", "owner", "used_bytes", "peak_bytes", "limit_bytes"
            );
            text += fmt::format(
                "{:<16} {:>16} {:>16} {:>16}\n",
                process.name(),
                process.used_bytes(),
                process.peak_bytes(),
                process.limit_bytes()
            );
            text += fmt::format(
                "{:<16} {:>16}\n", "queries", services.fragments->metrics().memory_bytes
            );
            text +=
                fmt::format("{:<16} {:>16}\n", "memtables", services.storage->load_memory_bytes());
            text +=
                fmt::format("{:<16} {:>16}\n", "page cache", services.storage->page_cache_bytes());
            text += "\nqueries\n";
            for (const auto& line : services.fragments->describe_queries()) {
                text += line + "\n";
            }
            reply.set_text(200, std::move(text));
        }
    );
}

}  // namespace thetis
