// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <benchmark/benchmark.h>

#include "column/builder.h"
#include "exec/hash/group_table.h"
#include "exec/hash/join_table.h"

namespace thetis {

namespace {

constexpr uint32_t kRows = 4096;

std::vector<ColumnPtr> random_keys(std::mt19937_64& random, uint64_t domain) {
    auto values = Buffer::allocate(kRows * sizeof(int64_t));
    for (uint32_t i = 0; i < kRows; ++i) {
        values->as<int64_t>()[i] = static_cast<int64_t>(random() % domain);
    }
    return {Column::flat(DataType::of(TypeId::kBigint, false), kRows, std::move(values))};
}

/// Argument: rows of the build side, all keys distinct; every probe finds one.
void probe_join(benchmark::State& state) {
    auto num_build = static_cast<uint64_t>(state.range(0));
    std::mt19937_64 random(1);
    KeyLayout layout({DataType::of(TypeId::kBigint, false)}, {false});
    KeyRows keys(layout);
    auto run = std::make_unique<JoinKeyRun>(layout.width());
    for (uint64_t begin = 0; begin < num_build; begin += kRows) {
        auto values = Buffer::allocate(kRows * sizeof(int64_t));
        for (uint32_t i = 0; i < kRows; ++i) {
            values->as<int64_t>()[i] = static_cast<int64_t>(begin + i);
        }
        std::vector<ColumnPtr> columns{
            Column::flat(DataType::of(TypeId::kBigint, false), kRows, std::move(values))
        };
        keys.compute(columns, nullptr, kRows);
        run->append(keys, static_cast<uint32_t>(begin), nullptr);
    }
    JoinTable table(layout.width());
    std::vector<std::unique_ptr<JoinKeyRun>> runs;
    runs.push_back(std::move(run));
    table.plan(std::move(runs), {0}, 1);
    table.build_part(0);
    table.finish_build();

    std::vector<std::vector<ColumnPtr>> batches;
    for (int i = 0; i < 64; ++i) {
        batches.push_back(random_keys(random, num_build));
    }
    JoinTable::Candidates candidates;
    std::vector<uint32_t> left(kRows);
    std::vector<uint32_t> right(kRows);
    size_t next = 0;
    for (auto _ : state) {
        keys.compute(batches[next++ % batches.size()], nullptr, kRows);
        table.find_candidates(keys, nullptr, candidates);
        JoinCursor cursor;
        benchmark::DoNotOptimize(
            table.match(keys, candidates, cursor, left.data(), right.data(), kRows)
        );
    }
    state.SetItemsProcessed(state.iterations() * kRows);
}

/// Argument: distinct keys.
void group_rows(benchmark::State& state) {
    std::mt19937_64 random(1);
    KeyLayout layout({DataType::of(TypeId::kBigint, false)}, {false});
    KeyRows keys(layout);
    GroupTable table(layout);
    std::vector<std::vector<ColumnPtr>> batches;
    for (int i = 0; i < 64; ++i) {
        batches.push_back(random_keys(random, static_cast<uint64_t>(state.range(0))));
    }
    std::vector<uint32_t> groups(kRows);
    size_t next = 0;
    for (auto _ : state) {
        keys.compute(batches[next++ % batches.size()], nullptr, kRows);
        table.find_or_insert(keys, groups.data());
        benchmark::DoNotOptimize(groups.data());
    }
    state.SetItemsProcessed(state.iterations() * kRows);
}

BENCHMARK(probe_join)->Arg(1 << 14)->Arg(1 << 17)->Arg(1 << 21);
BENCHMARK(group_rows)->Arg(6)->Arg(1 << 12)->Arg(1 << 18);

}  // namespace

}  // namespace thetis
