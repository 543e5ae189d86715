// SPDX-License-Identifier: Apache-2.0
#include "query/lookup/lookup_service.h"

#include <atomic>
#include <chrono>

#include "base/hash.h"
#include "base/logging.h"
#include "base/memory/tracker.h"
#include "base/metrics.h"
#include "exec/lookup/lookup_plan.h"
#include "exec/lookup/point_lookup.h"
#include "gen_thrift/lookup_types.h"
#include "io/cache/segmented_lru.h"
#include "service_lookup.pb.h"
#include "wire/thrift_codec.h"

namespace thetis {

namespace {

constexpr size_t kNumPlanShards = 8;
/// Of a shard; a cache of very few plans would take none at all.
constexpr size_t kMinPlans = 16;
/// Of warnings about look-ups that failed for what is stored.
constexpr int64_t kWarningPeriodNs = 10'000'000'000;

int64_t steady_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch()
    )
        .count();
}

struct PlanId {
    uint64_t high = 0;
    uint64_t low = 0;
    bool operator==(const PlanId&) const = default;
};

struct PlanIdHash {
    size_t operator()(const PlanId& id) const { return hash_combine(id.high, id.low); }
};

using LookupPlanPtr = std::shared_ptr<const LookupPlan>;

/// Plans by id, the least recently used ones forgotten.
class LookupPlans {
public:
    explicit LookupPlans(size_t max_plans) {
        const size_t per_shard =
            std::max(kMinPlans, (max_plans + kNumPlanShards - 1) / kNumPlanShards);
        for (size_t i = 0; i < kNumPlanShards; ++i) {
            shards_.push_back(std::make_unique<Shard>(per_shard * Shard::kEntryBytes));
        }
    }

    LookupPlanPtr find(const PlanId& id) { return shard(id).find(id); }

    void insert(const PlanId& id, LookupPlanPtr plan) {
        // Every plan counts alike.
        shard(id).insert(id, std::move(plan), 0, [](const LookupPlanPtr&) { return false; });
    }

    int64_t size() const {
        int64_t total = 0;
        for (const auto& each : shards_) {
            total += each->counts().entries;
        }
        return total;
    }

private:
    using Shard = SegmentedLru<PlanId, LookupPlanPtr, PlanIdHash>;

    Shard& shard(const PlanId& id) { return *shards_[PlanIdHash()(id) % kNumPlanShards]; }

    std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace

class LookupService::Engine {
public:
    Engine(
        const StorageEngine& storage,
        const FunctionRegistries& functions,
        MetricRegistry& metrics,
        const LookupOptions& options
    )
        : storage_(storage),
          functions_(functions),
          plans_(options.max_plans),
          lookups_(metrics.counter("lookup_requests_total", "Key look-ups.")),
          failed_(metrics.counter("lookup_failed_total", "Key look-ups that failed.")),
          keys_(metrics.counter("lookup_keys_total", "Keys looked up.")),
          rows_(metrics.counter("lookup_rows_total", "Rows that key look-ups gave.")),
          not_found_(metrics.counter("lookup_not_found_total", "Keys without a row.")),
          cache_hits_(metrics.counter("lookup_row_cache_hits_total", "Keys the row cache knew.")),
          cache_misses_(metrics.counter(
              "lookup_row_cache_misses_total", "Keys the row cache did not know for the version."
          )),
          plan_hits_(metrics.counter("lookup_plan_hits_total", "Look-ups by a remembered plan.")),
          plan_misses_(metrics.counter(
              "lookup_plan_misses_total", "Look-ups that brought their plan or lacked it."
          )),
          keys_per_call_(
              metrics.histogram("lookup_keys_per_call", "Keys that one key look-up asked for.")
          ),
          latency_(metrics.histogram(
              "lookup_latency_ns", "Nanoseconds from a look-up's request to its rows."
          )) {
        if (options.row_cache_bytes > 0) {
            rows_cached_ = std::make_unique<RowCache>(
                options.row_cache_bytes,
                MemoryTracker::create(
                    "row cache",
                    static_cast<int64_t>(options.row_cache_bytes),
                    options.process_memory
                )
            );
        }
    }

    RowCache* row_cache() const { return rows_cached_.get(); }

    int64_t num_plans() const { return plans_.size(); }

    Status lookup(const pb::LookupRequest& request, pb::LookupReply& reply, std::string& rows) {
        const int64_t begin = steady_ns();
        lookups_.add();
        ASSIGN_OR_RETURN(const LookupPlanPtr plan, plan_of(request));
        if (plan == nullptr) {
            reply.set_needs_plan(true);
            return {};
        }
        LookupCounts counts;
        const Status status =
            run_lookup(*plan, storage_, rows_cached_.get(), request, counts, rows);
        keys_.add(counts.keys);
        keys_per_call_.record(counts.keys);
        cache_hits_.add(counts.row_cache_hits);
        if (rows_cached_ != nullptr) {
            cache_misses_.add(counts.keys - counts.row_cache_hits);
        }
        not_found_.add(counts.not_found);
        RETURN_IF_ERROR(status);
        rows_.add(counts.rows);
        reply.set_num_rows(counts.rows);
        reply.set_row_cache_hits(counts.row_cache_hits);
        latency_.record(steady_ns() - begin);
        return {};
    }

    /// Bad storage is found again by every look-up of the same page: one line in a while says so.
    void tell_failure(const Status& status) {
        failed_.add();
        if (status.code() != ErrorCode::kCorruption && status.code() != ErrorCode::kIoError) {
            return;
        }
        const int64_t now = steady_ns();
        int64_t due = next_warning_ns_.load(std::memory_order_relaxed);
        if (now < due || !next_warning_ns_.compare_exchange_strong(
                             due, now + kWarningPeriodNs, std::memory_order_relaxed
                         )) {
            silent_failures_.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        LOG_WARN(
            "key look-up failed reason={} more_since_last_line={}",
            status.to_string(),
            silent_failures_.exchange(0, std::memory_order_relaxed)
        );
    }

private:
    /// Null when it is neither known nor in the request.
    Result<LookupPlanPtr> plan_of(const pb::LookupRequest& request) {
        const PlanId id{request.plan_id_high(), request.plan_id_low()};
        if (LookupPlanPtr plan = plans_.find(id)) {
            plan_hits_.add();
            return plan;
        }
        plan_misses_.add();
        if (request.plan().empty()) {
            return LookupPlanPtr();
        }
        wire::LookupPlan message;
        if (const Status status = decode_compact(request.plan(), message); !status.ok()) {
            // The request is at fault, not what is stored: another replica would say the same.
            return Status(ErrorCode::kInvalidArgument, std::string(status.message()));
        }
        ASSIGN_OR_RETURN(LookupPlanPtr plan, LookupPlan::create(message, functions_));
        plans_.insert(id, plan);
        return plan;
    }

    const StorageEngine& storage_;
    const FunctionRegistries& functions_;
    std::unique_ptr<RowCache> rows_cached_;  // Null: none.
    LookupPlans plans_;
    Counter& lookups_;
    Counter& failed_;
    Counter& keys_;
    Counter& rows_;
    Counter& not_found_;
    Counter& cache_hits_;
    Counter& cache_misses_;
    Counter& plan_hits_;
    Counter& plan_misses_;
    Histogram& keys_per_call_;
    Histogram& latency_;
    // Nanoseconds of the steady clock from which a warning may be logged again.
    std::atomic<int64_t> next_warning_ns_{0};
    std::atomic<int64_t> silent_failures_{0};  // Failures since the last warning.
};

LookupService::LookupService(
    const StorageEngine& storage,
    const FunctionRegistries& functions,
    MetricRegistry& metrics,
    const LookupOptions& options
)
    : engine_(std::make_shared<Engine>(storage, functions, metrics, options)) {
    // The page of metrics may be asked for while the service goes.
    const std::weak_ptr<Engine> engine = engine_;
    metrics.gauge_function("lookup_plans", "Prepared look-ups that are remembered.", "", [engine] {
        const auto held = engine.lock();
        return held == nullptr ? int64_t{0} : held->num_plans();
    });
    const auto add = [&](const char* name, const char* help, int64_t RowCache::Counts::* field) {
        metrics.gauge_function(name, help, "name=\"RowCache\"", [engine, field] {
            const auto held = engine.lock();
            return held == nullptr || held->row_cache() == nullptr
                       ? int64_t{0}
                       : held->row_cache()->counts().*field;
        });
    };
    add("cache_usage", "Bytes in a cache.", &RowCache::Counts::bytes);
    add("cache_element_count", "Entries of a cache.", &RowCache::Counts::rows);
    add("cache_evictions", "Entries that made room for others.", &RowCache::Counts::evictions);
}

LookupService::~LookupService() = default;

void LookupService::lookup(
    const pb::LookupRequest& request, pb::LookupReply& reply, std::string& rows
) {
    const size_t begin = rows.size();
    Status status;
    try {
        status = engine_->lookup(request, reply, rows);
    } catch (const std::bad_alloc&) {
        status = Status(ErrorCode::kMemLimitExceeded, "No memory for a look-up");
    } catch (const std::exception& error) {
        status = Status(ErrorCode::kInternal, error.what());
    }
    if (!status.ok()) {
        engine_->tell_failure(status);
        rows.resize(begin);
        reply.set_code(static_cast<int32_t>(status.code()));
        reply.set_message(std::string(status.message()));
    }
}

}  // namespace thetis
