// SPDX-License-Identifier: Apache-2.0
// Rows per second of the loops that scans and aggregations live on: int32 filter to selection,
// decimal price expression, sums.
#include <benchmark/benchmark.h>

#include "column/builder.h"
#include "expr/selection_kernels.h"
#include "functions/registries.h"

namespace thetis {

namespace {

constexpr uint32_t kRows = kMaxBatchRows;

template <typename T>
ColumnPtr column_of(const DataType& type, T modulus) {
    ColumnBuilder builder(type, kRows);
    for (uint32_t i = 0; i < kRows; ++i) {
        builder.append(static_cast<T>((i * 2654435761U >> 8) % static_cast<uint32_t>(modulus)));
    }
    return builder.finish();
}

void filter_int32(benchmark::State& state) {
    const ColumnPtr column = column_of<int32_t>(DataType::of(TypeId::kInt), 100);
    std::vector<uint16_t> rows(kRows + 16);
    for (auto _ : state) {
        benchmark::DoNotOptimize(select_all<int32_t>(
            column->values<int32_t>(),
            nullptr,
            kRows,
            PredicateOp::kLt,
            static_cast<int32_t>(state.range(0)),
            rows.data()
        ));
    }
    state.SetItemsProcessed(state.iterations() * kRows);
}

BENCHMARK(filter_int32)->Arg(1)->Arg(50)->Arg(99);

void filter_int64(benchmark::State& state) {
    const ColumnPtr column = column_of<int64_t>(DataType::of(TypeId::kBigint), 100);
    std::vector<uint16_t> rows(kRows + 16);
    for (auto _ : state) {
        benchmark::DoNotOptimize(select_all<int64_t>(
            column->values<int64_t>(), nullptr, kRows, PredicateOp::kLt, 50, rows.data()
        ));
    }
    state.SetItemsProcessed(state.iterations() * kRows);
}

BENCHMARK(filter_int64);

void discounted_price(benchmark::State& state) {
    const FunctionRegistries registries = FunctionRegistries::create();
    const DataType price = DataType::decimal(15, 2);
    const DataType factor = DataType::decimal(16, 2);
    const DataType product = DataType::decimal(31, 4);
    const std::vector<DataType> subtract_types{factor, factor};
    const std::vector<DataType> multiply_types{price, factor};
    const std::vector<ColumnPtr> constants(2);
    const Kernel subtract = registries.scalar.find("subtract")
                                ->factory({"subtract", subtract_types, constants, factor})
                                .take();
    const Kernel multiply = registries.scalar.find("multiply")
                                ->factory({"multiply", multiply_types, constants, product})
                                .take();
    const ColumnPtr prices = column_of<int64_t>(price, 10000000);
    const ColumnPtr discounts = column_of<int64_t>(factor, 10);
    const ColumnPtr one = Column::constant(Scalar::integer(factor, 100).to_column(), kRows);
    EvalContext context;
    for (auto _ : state) {
        const std::vector<ColumnPtr> first{one, discounts};
        const std::vector<ColumnPtr> second{
            prices, subtract({first, factor, kRows, context}).take()
        };
        benchmark::DoNotOptimize(multiply({second, product, kRows, context}).take());
    }
    state.SetItemsProcessed(state.iterations() * kRows);
}

BENCHMARK(discounted_price);

/// range(0): 0 one state, otherwise so many groups.
void sum_decimal(benchmark::State& state) {
    const FunctionRegistries registries = FunctionRegistries::create();
    const std::vector<DataType> types{DataType::decimal(15, 2)};
    const DataType result = DataType::decimal(38, 2);
    const AggregateFunctionPtr sum =
        registries.aggregate.bind({"sum", types, result, result, {}}).take();
    const std::vector<ColumnPtr> arguments{column_of<int64_t>(types[0], 10000000)};
    const AggregateInput input{arguments, nullptr, kRows};
    const auto num_groups = static_cast<uint32_t>(std::max<int64_t>(state.range(0), 1));
    const size_t stride = (sum->state_bytes() + 15) / 16 * 16;
    auto memory = Buffer::zeroed(stride * num_groups);
    std::vector<char*> groups;
    for (uint32_t i = 0; i < kRows; ++i) {
        groups.push_back(reinterpret_cast<char*>(memory->data()) + i * 7 % num_groups * stride);
    }
    Arena arena;
    for (auto _ : state) {
        const Status status = state.range(0) == 0 ? sum->update_single(input, groups[0], arena)
                                                  : sum->update(input, groups.data(), 0, arena);
        benchmark::DoNotOptimize(status.ok());
    }
    state.SetItemsProcessed(state.iterations() * kRows);
}

BENCHMARK(sum_decimal)->Arg(0)->Arg(6)->Arg(1000);

}  // namespace

}  // namespace thetis
