// SPDX-License-Identifier: Apache-2.0
// Rows per CPU-second of writing and of warm scans, on a table like TPC-H lineitem.
#include <filesystem>
#include <random>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "column/builder.h"
#include "column/scalar.h"
#include "storage/engine/storage_engine.h"

namespace thetis {
namespace {

constexpr uint32_t kRows = 4'000'000;
constexpr int64_t kTablet = 1;

TabletSchemaPtr lineitem() {
    const auto column = [](int32_t id, const char* name, DataType type, bool is_key) {
        SchemaColumn result;
        result.unique_id = id;
        result.name = name;
        result.type = type;
        result.is_key = is_key;
        return result;
    };
    TabletSchemaDefinition definition;
    definition.columns = {
        column(0, "orderkey", DataType::of(TypeId::kBigint, false), true),
        column(1, "partkey", DataType::of(TypeId::kInt, false), false),
        column(2, "quantity", DataType::decimal(15, 2, false), false),
        column(3, "price", DataType::decimal(15, 2, false), false),
        column(4, "discount", DataType::decimal(15, 2, false), false),
        column(5, "shipdate", DataType::of(TypeId::kDate, false), false),
        column(6, "returnflag", DataType::varchar(1, false), false),
        column(7, "shipmode", DataType::varchar(10, false), false),
        column(8, "comment", DataType::varchar(44, false), false)
    };
    definition.num_short_key_columns = 1;
    return TabletSchema::create(definition).take();
}

Batch make_batch(std::mt19937_64& random, int64_t& order) {
    static const char* const kModes[] = {"REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"};
    std::vector<ColumnBuilder> builders;
    const TabletSchemaPtr schema = lineitem();
    for (const SchemaColumn& column : schema->columns()) {
        builders.emplace_back(column.type, kMaxBatchRows);
    }
    std::string comment;
    for (uint32_t row = 0; row < kMaxBatchRows; ++row) {
        const uint64_t word = random();
        order += word % 4 == 0 ? 1 + static_cast<int64_t>(word >> 60) : 0;
        const auto quantity = static_cast<int64_t>(1 + word % 50);
        builders[0].append<int64_t>(order);
        builders[1].append<int32_t>(static_cast<int32_t>(word % 200'000));
        builders[2].append<int64_t>(quantity * 100);
        builders[3].append<int64_t>(quantity * static_cast<int64_t>(90'000 + word % 20'000));
        builders[4].append<int64_t>(static_cast<int64_t>((word >> 8) % 11));
        builders[5].append<int32_t>(static_cast<int32_t>(8035 + (word >> 16) % 2500));
        builders[6].append_string(std::string_view("ANR").substr((word >> 24) % 3, 1));
        builders[7].append_string(kModes[(word >> 32) % 7]);
        comment.clear();
        for (uint64_t left = random(); comment.size() < 10 + word % 33; left = left / 7 + 11) {
            comment += "abcdefghijklmnopqrstuvwxyz "[left % 27];
        }
        builders[8].append_string(comment);
    }
    Batch batch;
    batch.num_rows = kMaxBatchRows;
    for (ColumnBuilder& builder : builders) {
        batch.columns.push_back(builder.finish());
    }
    return batch;
}

/// A tablet of kRows rows, made once.
class Fixture {
public:
    Fixture() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "storage_bench_XXXXXX").string();
        directory_ = ::mkdtemp(pattern.data());
        engine_ = StorageEngine::open({{.path = directory_}}, {.background_interval_ms = 0}).take();
        std::mt19937_64 random(1);
        int64_t order = 0;
        for (int i = 0; i < 64; ++i) {
            batches_.push_back(make_batch(random, order));
        }
        write(kTablet);
    }

    ~Fixture() {
        engine_.reset();
        std::filesystem::remove_all(directory_);
    }

    void write(int64_t tablet_id) {
        if (!engine_->create_tablet({.tablet_id = tablet_id, .schema = lineitem()}).ok()) {
            std::abort();
        }
        auto writer =
            engine_->open_writer(tablet_id, {.txn_id = tablet_id, .load_id = "bench"}).take();
        for (uint32_t row = 0; row < kRows; row += kMaxBatchRows) {
            if (!writer->append(batches_[row / kMaxBatchRows % batches_.size()]).ok()) {
                std::abort();
            }
        }
        if (!writer->close().ok()) {
            std::abort();
        }
        const TabletVersion version{tablet_id, 2};
        if (!engine_->publish_version(tablet_id, {&version, 1})[0].status.ok()) {
            std::abort();
        }
    }

    StorageEngine& engine() { return *engine_; }

private:
    std::string directory_;
    std::unique_ptr<StorageEngine> engine_;
    std::vector<Batch> batches_;
};

Fixture& fixture() {
    static Fixture instance;
    return instance;
}

void scan(benchmark::State& state, const ReadOptions& options) {
    int64_t rows = 0;
    for (auto _ : state) {
        const auto reader = fixture().engine().open_reader(kTablet, 2, options).take();
        for (const ScanSplit& split : reader->splits()) {
            auto part = reader->read(split).take();
            Batch batch;
            while (part->next(batch).take()) {
                rows += batch.num_selected();
                benchmark::DoNotOptimize(batch.columns.data());
            }
        }
    }
    state.SetItemsProcessed(state.iterations() * kRows);
    state.counters["passed"] = static_cast<double>(rows) / static_cast<double>(state.iterations());
}

void BM_ScanColumn(benchmark::State& state) {
    scan(state, {.column_unique_ids = {static_cast<int32_t>(state.range(0))}});
}

BENCHMARK(BM_ScanColumn)->DenseRange(0, 8)->Unit(benchmark::kMillisecond);

void BM_FilterDate(benchmark::State& state) {
    const auto bound =
        Scalar::integer(DataType::of(TypeId::kDate, false), 8035 + state.range(0)).to_column();
    scan(
        state,
        {.column_unique_ids = {3},
         .predicates = {{.column_unique_id = 5, .op = PredicateOp::kLt, .values = bound}}}
    );
}

BENCHMARK(BM_FilterDate)->Arg(5)->Arg(250)->Arg(1250)->Arg(2400)->Unit(benchmark::kMillisecond);

void BM_FilterMode(benchmark::State& state) {
    const auto mode = Scalar::text(DataType::varchar(10, false), "MAIL").to_column();
    scan(
        state,
        {.column_unique_ids = {7},
         .predicates = {{.column_unique_id = 7, .op = PredicateOp::kEq, .values = mode}}}
    );
}

BENCHMARK(BM_FilterMode)->Unit(benchmark::kMillisecond);

void BM_FilterRefusedByZoneMap(benchmark::State& state) {
    const auto bound = Scalar::integer(DataType::of(TypeId::kDate, false), 100'000).to_column();
    scan(
        state,
        {.column_unique_ids = {3},
         .predicates = {{.column_unique_id = 5, .op = PredicateOp::kGt, .values = bound}}}
    );
}

BENCHMARK(BM_FilterRefusedByZoneMap);

// Within the range of the segment, so that its pages are asked one by one; no page but one or two
// can hold the value.
void BM_FilterRefusedByPageZoneMaps(benchmark::State& state) {
    const auto key = Scalar::integer(DataType::of(TypeId::kBigint, false), 1).to_column();
    scan(
        state,
        {.column_unique_ids = {3},
         .predicates = {{.column_unique_id = 0, .op = PredicateOp::kLe, .values = key}},
         .use_short_key = false}
    );
}

BENCHMARK(BM_FilterRefusedByPageZoneMaps);

void BM_Write(benchmark::State& state) {
    int64_t tablet = 100;
    for (auto _ : state) {
        fixture().write(++tablet);
    }
    const auto report = fixture().engine().tablet_reports(std::array{tablet})[0];
    state.SetItemsProcessed(state.iterations() * kRows);
    state.counters["bytes_per_row"] = static_cast<double>(report.data_size_bytes) / kRows;
}

BENCHMARK(BM_Write)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

}  // namespace
}  // namespace thetis
