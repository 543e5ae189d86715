// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <benchmark/benchmark.h>

#include "query/testing/query_fixture.h"

namespace thetis::testing {

namespace {

constexpr int kBatches = 500;
constexpr int kWarmBatches = 4;
const DataType kMoney = DataType::decimal(15, 2, false);
const DataType kDay = DataType::of(TypeId::kDate, false);
const DataType kKey = DataType::of(TypeId::kBigint, false);
const DataType kFlag = DataType::varchar(1, false);

ColumnPtr flags(std::mt19937_64& random, uint32_t num_values) {
    static std::map<uint32_t, ColumnPtr> dictionaries;
    auto& dictionary = dictionaries[num_values];
    if (dictionary == nullptr) {
        ColumnBuilder builder(kFlag);
        for (uint32_t i = 0; i < num_values; ++i) {
            builder.append_string(std::string(1, static_cast<char>('A' + i)));
        }
        dictionary = builder.finish();
    }
    auto codes = Buffer::allocate(kMaxBatchRows * sizeof(uint32_t));
    for (uint32_t i = 0; i < kMaxBatchRows; ++i) {
        codes->as<uint32_t>()[i] = static_cast<uint32_t>(random() % num_values);
    }
    return Column::dictionary(kMaxBatchRows, std::move(codes), nullptr, dictionary);
}

template <typename T>
ColumnPtr numbers_below(std::mt19937_64& random, const DataType& type, uint64_t domain) {
    auto values = Buffer::allocate(kMaxBatchRows * sizeof(T));
    for (uint32_t i = 0; i < kMaxBatchRows; ++i) {
        values->as<T>()[i] = static_cast<T>(random() % domain);
    }
    return Column::flat(type, kMaxBatchRows, std::move(values));
}

/// flag (3), status (2), quantity, price, discount, day, order key (1.5 million).
const std::vector<DataType> kTypes{kFlag, kFlag, kMoney, kMoney, kMoney, kDay, kKey};

void fill(Backend& backend) {
    std::mt19937_64 random(1);
    std::vector<Batch> batches;
    for (int i = 0; i < kBatches; ++i) {
        Batch batch;
        batch.num_rows = kMaxBatchRows;
        batch.columns = {
            flags(random, 3),
            flags(random, 2),
            numbers_below<int64_t>(random, kMoney, 5000),
            numbers_below<int64_t>(random, kMoney, 10'000'000),
            numbers_below<int64_t>(random, kMoney, 11),
            numbers_below<int32_t>(random, kDay, 2500),
            numbers_below<int64_t>(random, kKey, 1'500'000)
        };
        batches.push_back(std::move(batch));
    }
    // Few batches again and again: in the nearest caches, as pages are that were just decoded.
    std::vector<Batch> warm;
    for (int i = 0; i < kBatches; ++i) {
        warm.push_back(batches[static_cast<size_t>(i % kWarmBatches)]);
    }
    backend.scans().add(3, std::move(warm));
    backend.scans().add(1, std::move(batches));
    std::vector<Batch> build;
    for (int64_t begin = 0; begin < 150'000; begin += kMaxBatchRows) {
        auto values = Buffer::allocate(kMaxBatchRows * sizeof(int64_t));
        for (uint32_t i = 0; i < kMaxBatchRows; ++i) {
            values->as<int64_t>()[i] = (begin + i) * 10;
        }
        Batch batch;
        batch.num_rows = kMaxBatchRows;
        batch.columns = {Column::flat(kKey, kMaxBatchRows, std::move(values))};
        build.push_back(std::move(batch));
    }
    backend.scans().add(2, std::move(build));
}

void run(benchmark::State& state, const wire::PlanNode& root) {
    Backend backend;
    fill(backend);
    int64_t query = 0;
    std::string profile;
    for (auto _ : state) {
        auto plan = result_plan(++query, root, {{1, {1}}, {2, {2}}, {3, {3}}});
        plan.options.__set_enable_profile(true);
        auto outcome = backend.run(plan);
        if (!outcome.status.ok()) {
            state.SkipWithError(outcome.status.to_string().c_str());
            return;
        }
        profile = outcome.last.profile;
    }
    state.SetItemsProcessed(state.iterations() * kBatches * kMaxBatchRows);
    state.SetLabel("\n" + profile);
}

wire::AggregateCall sum_of(wire::Expr argument, const DataType& type) {
    DataType result = DataType::decimal(38, type.scale);
    return aggregate_call("sum", {std::move(argument)}, {type}, result, result);
}

wire::AggregateCall count_rows() {
    return aggregate_call(
        "count", {}, {}, DataType::of(TypeId::kBigint, false), DataType::of(TypeId::kBigint, false)
    );
}

/// Four aggregates over six groups after a range filter.
void few_groups(benchmark::State& state) {
    auto filtered = filter(
        2, kTypes, scan(3, kTypes), {call("le", boolean(), {slot(5, kDay), literal(2400, kDay)})}
    );
    auto plan = aggregate(
        3,
        wire::AggregatePhase::SINGLE,
        {kFlag,
         kFlag,
         DataType::decimal(38, 2),
         DataType::decimal(38, 2),
         DataType::decimal(38, 4),
         kKey},
        filtered,
        {slot(0, kFlag), slot(1, kFlag)},
        {sum_of(slot(2, kMoney), kMoney),
         sum_of(slot(3, kMoney), kMoney),
         sum_of(
             call("multiply", DataType::decimal(30, 4), {slot(3, kMoney), slot(4, kMoney)}),
             DataType::decimal(30, 4)
         ),
         count_rows()}
    );
    run(state, plan);
}

void many_groups(benchmark::State& state) {
    auto plan = aggregate(
        3,
        wire::AggregatePhase::SINGLE,
        {kKey, DataType::decimal(38, 2)},
        scan(1, kTypes),
        {slot(6, kKey)},
        {sum_of(slot(2, kMoney), kMoney)}
    );
    run(state, limit(4, {kKey, DataType::decimal(38, 2)}, plan, 10));
}

void join_and_count(benchmark::State& state) {
    auto probe = scan(1, kTypes);
    if (state.range(0) != 0) {
        wire::RuntimeFilterTarget target;
        target.filter_id = 1;
        target.probe = slot(6, kKey);
        probe.op.tablet_scan.__set_runtime_filters({target});
    }
    auto plan = hash_join(
        3, wire::JoinKind::INNER, kTypes, probe, scan(2, {kKey}), {slot(6, kKey)}, {slot(0, kKey)}
    );
    if (state.range(0) != 0) {
        wire::RuntimeFilterSource source;
        source.filter_id = 1;
        source.key_index = 0;
        plan.op.hash_join.__set_runtime_filters({source});
    }
    run(state, aggregate(4, wire::AggregatePhase::SINGLE, {kKey}, plan, {}, {count_rows()}));
}

void top_rows(benchmark::State& state) {
    run(state,
        top_n(
            3,
            kTypes,
            scan(1, kTypes),
            {sort_key(slot(3, kMoney), false), sort_key(slot(6, kKey))},
            100
        ));
}

void text_result(benchmark::State& state) {
    run(state, scan(1, kTypes));
}

BENCHMARK(few_groups)->UseRealTime();
BENCHMARK(many_groups)->UseRealTime();
BENCHMARK(join_and_count)->Arg(0)->Arg(1)->UseRealTime();
BENCHMARK(top_rows)->UseRealTime();
BENCHMARK(text_result)->UseRealTime();

}  // namespace

}  // namespace thetis::testing
