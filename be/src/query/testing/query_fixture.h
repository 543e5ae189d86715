// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/memory/tracker.h"
#include "exec/exec_services.h"
#include "exec/pipeline/scheduler.h"
#include "exec/testing/memory_scan.h"
#include "exec/testing/plan_literals.h"
#include "functions/registries.h"
#include "query/fragment_manager.h"

namespace thetis::testing {

using TextRow = std::vector<std::optional<std::string>>;

/// What a query gave: rows as text, and how it ended.
struct QueryOutcome {
    Status status;
    std::vector<TextRow> rows;
    FetchedChunk last;
};

/// Splits text result packets into cells.
inline void parse_rows(const std::string& packets, std::vector<TextRow>& rows) {
    size_t at = 0;
    while (at < packets.size()) {
        auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(packets[i])); };
        size_t end = at + 4 + (byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16);
        at += 4;
        TextRow row;
        while (at < end) {
            size_t length = byte(at++);
            if (length == 0xFB) {
                row.emplace_back();
                continue;
            }
            if (length == 0xFC) {
                length = byte(at) | byte(at + 1) << 8;
                at += 2;
            }
            row.emplace_back(packets.substr(at, length));
            at += length;
        }
        rows.push_back(std::move(row));
    }
}

/// One back end in memory: workers, tablets, fragment manager.
class Backend {
public:
    explicit Backend(
        int num_workers = 2,
        FragmentManagerOptions options = {},
        ExchangeTransport* transport = nullptr
    )
        : functions_(FunctionRegistries::create()),
          scheduler_(num_workers),
          memory_(MemoryTracker::create("process", 0)) {
        services_.scheduler = &scheduler_;
        services_.functions = &functions_;
        services_.scans = &scans_;
        services_.process_memory = memory_;
        services_.transport = transport;
        manager_ = std::make_unique<FragmentManager>(services_, options);
    }

    ~Backend() {
        manager_.reset();
        scheduler_.shutdown();
    }

    MemoryScans& scans() { return scans_; }

    FragmentManager& manager() { return *manager_; }

    ExecServices& services() { return services_; }

    TaskScheduler& scheduler() { return scheduler_; }

    int64_t memory_bytes() const { return memory_->used_bytes(); }

    /// Waits (bounded) until no query runs and its memory is back; false when that does not happen.
    bool is_idle_soon() {
        auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (manager_->metrics().num_queries > 0 || memory_->used_bytes() > 0 ||
               scheduler_.num_queued() > 0) {
            if (std::chrono::steady_clock::now() > give_up) {
                return false;
            }
            std::this_thread::yield();
        }
        return true;
    }

    QueryOutcome run(const wire::ExecPlan& plan) {
        QueryOutcome outcome;
        outcome.status = manager_->prepare(plan, true);
        return outcome.status.ok() ? fetch({plan.query_id.high, plan.query_id.low}) : outcome;
    }

    QueryOutcome fetch(const QueryId& id) {
        QueryOutcome outcome;
        auto results = manager_->result(id);
        if (results == nullptr) {
            outcome.status = Status(ErrorCode::kNotFound, "no such query");
            return outcome;
        }
        while (true) {
            auto promise = std::make_shared<std::promise<FetchedChunk>>();
            auto future = promise->get_future();
            results->fetch([promise](FetchedChunk chunk) { promise->set_value(std::move(chunk)); });
            if (future.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
                outcome.status = Status(ErrorCode::kTimeout, "no chunk came");
                return outcome;
            }
            FetchedChunk chunk = future.get();
            parse_rows(chunk.packets, outcome.rows);
            if (chunk.eos) {
                outcome.status = chunk.status;
                outcome.last = std::move(chunk);
                manager_->release(id);
                return outcome;
            }
        }
    }

private:
    FunctionRegistries functions_;
    TaskScheduler scheduler_;
    std::shared_ptr<MemoryTracker> memory_;
    MemoryScans scans_;
    ExecServices services_;
    std::unique_ptr<FragmentManager> manager_;
};

}  // namespace thetis::testing
