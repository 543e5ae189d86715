// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "format/row_reader_factory.h"

namespace thetis {
namespace {

class IgnoredBadRows final : public BadRowListener {
public:
    void bad_row(int64_t, std::string_view, std::string_view) override { ++count; }

    int64_t count = 0;
};

/// Rows like TPC-H lineitem, `|` between fields.
std::string make_lines(size_t num_rows) {
    std::string text;
    for (size_t i = 0; i < num_rows; ++i) {
        text += fmt::format(
            "{}|{}|{}|{}|17|{}.16|0.04|0.02|N|O|1996-03-13|1996-02-12|1996-03-22|DELIVER IN "
            "PERSON|TRUCK|egular courts above the {}\n",
            i,
            i * 7 % 200'000,
            i % 10'000,
            i % 7,
            i * 31 % 90'000,
            i % 100
        );
    }
    return text;
}

void split_lines(benchmark::State& state) {
    std::string text = make_lines(100'000);
    std::vector<std::string> columns(16, "c");
    for ([[maybe_unused]] auto round : state) {
        IgnoredBadRows bad;
        auto reader = make_row_reader({"csv", {{"column_separator", "|"}}, columns}, bad);
        uint64_t rows = 0;
        Batch batch;
        for (size_t at = 0; at < text.size(); at += 512 * 1024) {
            (void)(*reader)->feed(std::string_view(text).substr(at, 512 * 1024));
            while ((*reader)->next(batch).value()) {
                rows += batch.num_rows;
            }
        }
        benchmark::DoNotOptimize(rows);
    }
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

BENCHMARK(split_lines)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thetis
