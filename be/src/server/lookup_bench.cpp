// SPDX-License-Identifier: Apache-2.0
// Nanoseconds of one key look-up on a warm table of eleven columns and four rowsets, from request
// to packets: a row-cache hit, a primary-key hit with row store, and one with column pages.
#include <filesystem>
#include <random>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "base/metrics.h"
#include "column/builder.h"
#include "exec/scan/wire_schema.h"
#include "exec/testing/plan_literals.h"
#include "functions/registries.h"
#include "gen_thrift/lookup_types.h"
#include "query/lookup/lookup_service.h"
#include "service_lookup.pb.h"
#include "storage/engine/storage_engine.h"
#include "wire/thrift_codec.h"

namespace thetis {
namespace {

constexpr int64_t kRows = 400'000;
constexpr int64_t kVersions = 4;
constexpr int32_t kHiddenIds = 1000;

const std::vector<DataType>& types() {
    static const std::vector<DataType> all{
        DataType::of(TypeId::kBigint, false),
        DataType::of(TypeId::kInt),
        DataType::of(TypeId::kBigint),
        DataType::decimal(15, 2),
        DataType::of(TypeId::kDate),
        DataType::datetime(0),
        DataType::of(TypeId::kDouble),
        DataType::varchar(20),
        DataType::varchar(20),
        DataType::varchar(100),
        DataType::varchar(100)
    };
    return all;
}

wire::TabletSchemaDesc table(bool has_row_store) {
    wire::TabletSchemaDesc schema;
    schema.keys_model = wire::KeysModel::UNIQUE;
    schema.num_short_key_columns = 1;
    schema.__set_merge_on_write(true);
    const auto add = [&](int32_t id, const DataType& type, bool is_hidden) {
        wire::ColumnDesc column;
        column.unique_id = id;
        column.name = fmt::format("c{}", id);
        column.type = testing::wire_type(type);
        column.is_key = id == 0;
        column.__set_is_hidden(is_hidden);
        schema.columns.push_back(column);
    };
    for (size_t i = 0; i < types().size(); ++i) {
        add(static_cast<int32_t>(i), types()[i], false);
    }
    add(kHiddenIds, DataType::of(TypeId::kTinyint, false), true);
    schema.__set_delete_sign_id(kHiddenIds);
    add(kHiddenIds + 1, DataType::of(TypeId::kBigint, false), true);
    schema.__set_version_id(kHiddenIds + 1);
    if (has_row_store) {
        add(kHiddenIds + 2, DataType::of(TypeId::kString, false), true);
        schema.__set_row_store_id(kHiddenIds + 2);
    }
    return schema;
}

Batch rows(int64_t first) {
    std::vector<ColumnBuilder> builders;
    for (const DataType& type : types()) {
        builders.emplace_back(type, kMaxBatchRows);
    }
    builders.emplace_back(DataType::of(TypeId::kTinyint, false), kMaxBatchRows);
    for (int64_t key = first; key < std::min(first + kMaxBatchRows, kRows); ++key) {
        const auto word =
            static_cast<int64_t>(static_cast<uint64_t>(key) * 0x9E3779B97F4A7C15ULL >> 20);
        builders[0].append<int64_t>(key);
        builders[1].append<int32_t>(static_cast<int32_t>(word));
        builders[2].append<int64_t>(word);
        builders[3].append<int64_t>(word % 10'000'000);
        builders[4].append<int32_t>(static_cast<int32_t>(10'000 + word % 9'000));
        builders[5].append<int64_t>((1'600'000'000 + word % 100'000'000) * 1'000'000);
        builders[6].append<double>(static_cast<double>(word % 100'000) / 8);
        builders[7].append_string(fmt::format("name {}", word % 1000));
        builders[8].append_string(fmt::format("city {}", word % 50));
        builders[9].append_string(fmt::format("{:060}", word));
        builders[10].append_string(fmt::format("{:x<40}", word));
        builders[11].append<int8_t>(0);
    }
    return finish_batch(builders);
}

/// One engine with both tables for all benchmarks: tablet 1 has a row store, tablet 2 has none.
class Tables {
public:
    Tables()
        : directory_((std::filesystem::temp_directory_path() /
                      fmt::format("lookup_bench_{}", getpid()))
                         .string()),
          functions_(FunctionRegistries::create()) {
        StorageOptions options;
        options.background_interval_ms = 0;
        options.memory_limit_bytes = int64_t{8} << 30;
        options.sync_files = options.sync_metadata = false;
        engine_ = StorageEngine::open({{.path = directory_}}, options).take();
        for (const int64_t tablet : {1, 2}) {
            fill(tablet);
        }
        LookupOptions without;
        uncached_ = std::make_unique<LookupService>(*engine_, functions_, metrics_, without);
        LookupOptions with;
        with.row_cache_bytes = size_t{1} << 30;
        cached_ = std::make_unique<LookupService>(*engine_, functions_, metrics_, with);
    }

    ~Tables() {
        cached_.reset();
        uncached_.reset();
        engine_.reset();
        std::filesystem::remove_all(directory_);
    }

    LookupService& service(bool has_cache) { return has_cache ? *cached_ : *uncached_; }

private:
    static void require(const Status& status) {
        if (!status.ok()) {
            fmt::print(stderr, "{}\n", status.to_string());
            std::abort();
        }
    }

    void fill(int64_t tablet) {
        CreateTabletRequest request;
        request.tablet_id = tablet;
        request.schema = schema_from_wire(table(tablet == 1)).take();
        require(engine_->create_tablet(request));
        for (int64_t version = 2; version < 2 + kVersions; ++version) {
            const int64_t txn = tablet * 100 + version;
            auto writer = engine_->open_writer(tablet, {.txn_id = txn, .load_id = "load"}).take();
            // Later versions replace a part of the rows.
            for (int64_t key = (version - 2) * (kRows / kVersions); key < kRows;
                 key += kMaxBatchRows) {
                require(writer->append(rows(key)));
            }
            require(writer->close());
            const TabletVersion published{tablet, version};
            require(engine_->publish_version(txn, {&published, 1}).front().status);
        }
    }

    const std::string directory_;
    const FunctionRegistries functions_;
    MetricRegistry metrics_;
    std::unique_ptr<StorageEngine> engine_;
    std::unique_ptr<LookupService> cached_;
    std::unique_ptr<LookupService> uncached_;
};

/// `num_keys` different keys are looked up, one per call.
void look_up(benchmark::State& state, int64_t tablet, bool has_cache, int64_t num_keys) {
    static Tables tables;
    LookupService& service = tables.service(has_cache);
    wire::LookupPlan plan;
    plan.schema = table(tablet == 1);
    for (size_t i = 0; i < types().size(); ++i) {
        plan.column_unique_ids.push_back(static_cast<int32_t>(i));
        plan.outputs.push_back(testing::slot(static_cast<int>(i), types()[i]));
    }
    plan.options.time_zone = "UTC";
    pb::LookupRequest request;
    request.set_plan_id_low(static_cast<uint64_t>(tablet));
    request.set_plan(encode_compact(plan).take());
    request.set_binary_rows(true);
    auto& keys = *request.add_tablets();
    keys.set_tablet_id(static_cast<uint64_t>(tablet));
    keys.set_version(1 + kVersions);
    std::string& bytes = *keys.add_keys();
    bytes.resize(sizeof(int64_t));
    std::string out;
    uint64_t random = 1;
    const auto step = [&](int64_t key) {
        std::memcpy(bytes.data(), &key, sizeof(key));
        out.clear();
        pb::LookupReply reply;
        service.lookup(request, reply, out);
        if (reply.num_rows() != 1) {
            state.SkipWithError(reply.message().c_str());
        }
    };
    for (int64_t key = 0; key < num_keys; ++key) {
        step(key * (kRows / num_keys));
    }
    request.clear_plan();
    for (auto _ : state) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        step(static_cast<int64_t>(random >> 33) % num_keys * (kRows / num_keys));
        benchmark::DoNotOptimize(out.data());
    }
}

void row_cache_hit(benchmark::State& state) {
    look_up(state, 1, true, 100'000);
}

void primary_key_hit_with_row_store(benchmark::State& state) {
    look_up(state, 1, false, 100'000);
}

void primary_key_hit_with_column_pages(benchmark::State& state) {
    look_up(state, 2, false, 100'000);
}

BENCHMARK(row_cache_hit);
BENCHMARK(primary_key_hit_with_row_store);
BENCHMARK(primary_key_hit_with_column_pages);

}  // namespace
}  // namespace thetis
