// SPDX-License-Identifier: Apache-2.0
// CPU of loads by table model, on rows like those of TPC-H lineitem; and what parallel flushes gain
// on a slow disk.
#include <filesystem>
#include <random>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "base/be_settings.gen.h"
#include "base/debug_points.h"
#include "column/builder.h"
#include "storage/engine/storage_engine.h"

namespace thetis {
namespace {

constexpr uint32_t kRows = 1'000'000;
/// What a row of lineitem takes as CSV.
constexpr int64_t kTextBytesPerRow = 126;

TabletSchemaPtr lineitem(KeysModel model) {
    TabletSchemaDefinition definition;
    const auto add = [&definition](const char* name, DataType type, bool is_key) {
        SchemaColumn column;
        column.unique_id = static_cast<int32_t>(definition.columns.size());
        column.name = name;
        column.type = type;
        column.is_key = is_key;
        definition.columns.push_back(column);
    };
    add("orderkey", DataType::of(TypeId::kBigint, false), true);
    add("linenumber", DataType::of(TypeId::kInt, false), true);
    add("partkey", DataType::of(TypeId::kInt, false), false);
    add("suppkey", DataType::of(TypeId::kInt, false), false);
    for (const char* name : {"quantity", "price", "discount", "tax"}) {
        add(name, DataType::decimal(15, 2, false), false);
    }
    for (const char* name : {"shipdate", "commitdate", "receiptdate"}) {
        add(name, DataType::of(TypeId::kDate, false), false);
    }
    for (const char* name : {"returnflag", "linestatus", "shipinstruct", "shipmode", "comment"}) {
        add(name, DataType::varchar(44, false), false);
    }
    definition.num_short_key_columns = 2;
    definition.keys_model = model;
    definition.merge_on_write = model == KeysModel::kUnique;
    return TabletSchema::create(definition).take();
}

/// Orders [first, first + kMaxBatchRows / 4), four lines each.
Batch make_batch(const TabletSchema& schema, int64_t first, uint64_t seed) {
    static const std::string_view kWords[] = {"REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL"};
    std::mt19937_64 random(seed);
    Batch batch;
    batch.num_rows = kMaxBatchRows;
    for (const SchemaColumn& column : schema.columns()) {
        ColumnBuilder builder(column.type, kMaxBatchRows);
        for (uint32_t row = 0; row < kMaxBatchRows; ++row) {
            const uint64_t word = random();
            visit_physical(column.type.physical(), [&]<typename T>(T) {
                if constexpr (std::is_same_v<T, StringRef>) {
                    if (column.name != "comment") {
                        builder.append_string(kWords[word % 6]);
                        return;
                    }
                    std::string text;
                    for (uint64_t left = word; text.size() < 10 + word % 33; left = left / 7 + 11) {
                        text += "abcdefghijklmnopqrstuvwxyz "[left % 27];
                    }
                    builder.append_string(text);
                } else if (column.unique_id == 0) {
                    builder.append<T>(static_cast<T>(first + row / 4));
                } else if (column.unique_id == 1) {
                    builder.append<T>(static_cast<T>(row % 4));
                } else {
                    builder.append<T>(static_cast<T>(word % 20000));
                }
            });
        }
        batch.columns.push_back(builder.finish());
    }
    return batch;
}

/// An engine in a directory of its own.
class Home {
public:
    explicit Home(const char* flush_threads = "6") {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "load_bench_XXXXXX").string();
        directory_ = ::mkdtemp(pattern.data());
        if (!config_.set("flush_thread_num_per_store", flush_threads, false).ok() ||
            !config_.set("max_flush_thread_num_per_cpu", "16", false).ok() ||
            !config_.set("memtable_flush_running_count_limit", "8", false).ok()) {
            std::abort();
        }
        StorageOptions options;
        options.config = &config_;
        options.debug_points = &debug_points_;
        options.background_interval_ms = 0;
        engine_ = StorageEngine::open({{.path = directory_}}, options).take();
    }

    ~Home() {
        engine_.reset();
        std::filesystem::remove_all(directory_);
    }

    DebugPoints& debug_points() { return debug_points_; }

    void create(const TabletSchemaPtr& schema) {
        if (!engine_->create_tablet({.tablet_id = 1, .schema = schema}).ok()) {
            std::abort();
        }
    }

    void load(int64_t version, const std::vector<Batch>& batches, int64_t buffer_bytes = 0) {
        auto writer =
            engine_
                ->open_writer(
                    1, {.txn_id = version, .load_id = "bench", .write_buffer_bytes = buffer_bytes}
                )
                .take();
        for (const Batch& batch : batches) {
            if (!writer->append(batch).ok()) {
                std::abort();
            }
        }
        const TabletVersion wanted{1, version};
        if (!writer->close().ok() ||
            !engine_->publish_version(version, {&wanted, 1})[0].status.ok()) {
            std::abort();
        }
    }

private:
    std::string directory_;
    Config config_{kBackendConfigKeys};
    DebugPoints debug_points_{true};
    std::unique_ptr<StorageEngine> engine_;
};

/// Batches of kRows rows from `first_order` on; shuffled ones arrive in no order.
std::vector<Batch> make_batches(const TabletSchema& schema, int64_t first_order) {
    std::vector<Batch> batches;
    for (uint32_t row = 0; row < kRows; row += kMaxBatchRows) {
        batches.push_back(make_batch(schema, first_order + row / 4, row));
    }
    return batches;
}

/// A load of which half of the rows replace others, by model.
void load_with_updates(benchmark::State& state, KeysModel model) {
    const TabletSchemaPtr schema = lineitem(model);
    const std::vector<Batch> first = make_batches(*schema, 0);
    const std::vector<Batch> second = make_batches(*schema, kRows / 8);
    for (auto _ : state) {
        state.PauseTiming();
        auto home = std::make_unique<Home>();
        home->create(schema);
        home->load(2, first);
        state.ResumeTiming();
        home->load(3, second);
        state.PauseTiming();
        home = nullptr;
        state.ResumeTiming();
    }
    state.SetBytesProcessed(state.iterations() * kRows * kTextBytesPerRow);
    state.SetItemsProcessed(state.iterations() * kRows);
}

void BM_LoadDuplicate(benchmark::State& state) {
    load_with_updates(state, KeysModel::kDuplicate);
}

BENCHMARK(BM_LoadDuplicate)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

void BM_LoadUniqueHalfUpdates(benchmark::State& state) {
    load_with_updates(state, KeysModel::kUnique);
}

BENCHMARK(BM_LoadUniqueHalfUpdates)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

/// A UNIQUE load of 16 memtables while every flush takes 300 ms longer; by flush threads.
void BM_FlushToSlowDisk(benchmark::State& state) {
    const TabletSchemaPtr schema = lineitem(KeysModel::kUnique);
    std::vector<Batch> batches;
    for (int64_t i = 0; i < 16; ++i) {
        batches.push_back(make_batch(*schema, i * 1000, static_cast<uint64_t>(i)));
    }
    for (auto _ : state) {
        state.PauseTiming();
        auto home = std::make_unique<Home>(state.range(0) == 1 ? "1" : "4");
        home->create(schema);
        if (!home->debug_points()
                 .add("TabletWriter.flush.done", {{"action", "delay"}, {"ms", "300"}})
                 .ok()) {
            std::abort();
        }
        state.ResumeTiming();
        home->load(2, batches, 1);
        state.PauseTiming();
        home = nullptr;
        state.ResumeTiming();
    }
}

BENCHMARK(BM_FlushToSlowDisk)->Arg(1)->Arg(4)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace thetis
