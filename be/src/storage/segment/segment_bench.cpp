// SPDX-License-Identifier: Apache-2.0
// Size and speed of segments of real data: TPC-H lineitem in its '|'-separated form, whose path the
// environment variable LINEITEM gives. Prints the bytes that each column takes.
#include <filesystem>
#include <fstream>

#include <benchmark/benchmark.h>

#include "column/builder.h"
#include "io/fs/file_system.h"
#include "storage.pb.h"
#include "storage/segment/segment_iterator.h"
#include "storage/segment/segment_writer.h"
#include "types/date_time.h"

namespace thetis {
namespace {

constexpr uint32_t kRows = 2'000'000;

TabletSchemaPtr lineitem() {
    const DataType money = DataType::decimal(15, 2, false);
    const DataType integer = DataType::of(TypeId::kInt, false);
    const DataType date = DataType::of(TypeId::kDate, false);
    const std::pair<const char*, DataType> columns[] = {
        {"orderkey", DataType::of(TypeId::kBigint, false)},
        {"partkey", integer},
        {"suppkey", integer},
        {"linenumber", integer},
        {"quantity", money},
        {"extendedprice", money},
        {"discount", money},
        {"tax", money},
        {"returnflag", DataType::varchar(1, false)},
        {"linestatus", DataType::varchar(1, false)},
        {"shipdate", date},
        {"commitdate", date},
        {"receiptdate", date},
        {"shipinstruct", DataType::varchar(25, false)},
        {"shipmode", DataType::varchar(10, false)},
        {"comment", DataType::varchar(44, false)}
    };
    TabletSchemaDefinition definition;
    for (const auto& [name, type] : columns) {
        SchemaColumn column;
        column.unique_id = static_cast<int32_t>(definition.columns.size());
        column.name = name;
        column.type = type;
        column.is_key = definition.columns.empty();
        definition.columns.push_back(std::move(column));
    }
    definition.num_short_key_columns = 1;
    return TabletSchema::create(std::move(definition)).take();
}

/// A field as the number that its column holds: digits without the point, or days since 1970.
int64_t number_of(std::string_view field, const DataType& type) {
    int64_t value = 0;
    if (type.id == TypeId::kDate) {
        const auto part = [&](size_t begin, size_t size) {
            return std::stoi(std::string(field.substr(begin, size)));
        };
        const std::chrono::year_month_day day{
            std::chrono::year(part(0, 4)),
            std::chrono::month(static_cast<unsigned>(part(5, 2))),
            std::chrono::day(static_cast<unsigned>(part(8, 2)))
        };
        return std::chrono::sys_days(day).time_since_epoch().count();
    }
    for (const char c : field) {
        value = c == '.' ? value : value * 10 + (c - '0');
    }
    const bool lacks_cents = type.id == TypeId::kDecimal && field.find('.') == field.npos;
    return lacks_cents ? value * 100 : value;
}

const std::vector<ColumnPtr>& rows() {
    static const std::vector<ColumnPtr> columns = [] {
        const TabletSchemaPtr schema = lineitem();
        std::vector<ColumnBuilder> builders;
        for (const SchemaColumn& column : schema->columns()) {
            builders.emplace_back(column.type);
        }
        const char* path = std::getenv("LINEITEM");
        std::ifstream file(path == nullptr ? "lineitem.tbl" : path);
        std::string line;
        for (uint32_t row = 0; row < kRows && std::getline(file, line); ++row) {
            size_t begin = 0;
            for (ColumnBuilder& builder : builders) {
                const size_t end = line.find('|', begin);
                const std::string_view field(line.data() + begin, end - begin);
                begin = end + 1;
                if (builder.type().is_string()) {
                    builder.append_string(field);
                } else if (builder.type().physical() == PhysicalType::kInt32) {
                    builder.append<int32_t>(static_cast<int32_t>(number_of(field, builder.type())));
                } else {
                    builder.append<int64_t>(number_of(field, builder.type()));
                }
            }
        }
        std::vector<ColumnPtr> result;
        for (ColumnBuilder& builder : builders) {
            result.push_back(builder.finish());
        }
        return result;
    }();
    return columns;
}

std::string path() {
    return (std::filesystem::temp_directory_path() / "segment_bench.dat").string();
}

void write_segment() {
    const TabletSchemaPtr schema = lineitem();
    auto writer = SegmentWriter::create(*local_file_system(), path(), schema, true).take();
    for (size_t i = 0; i < schema->num_columns(); ++i) {
        for (uint32_t row = 0; row < rows()[i]->size(); row += kMaxBatchRows) {
            const uint32_t count = std::min(kMaxBatchRows, rows()[i]->size() - row);
            if (!writer->append_column(i, slice(rows()[i], row, count)).ok()) {
                std::abort();
            }
        }
        if (!writer->finish_column(i).ok()) {
            std::abort();
        }
    }
    pb::SegmentMeta meta;
    if (!writer->finish(rows()[0]->size(), false, meta).ok()) {
        std::abort();
    }
}

void BM_WriteLineitem(benchmark::State& state) {
    int64_t bytes_in_memory = 0;
    for (const ColumnPtr& column : rows()) {
        bytes_in_memory += static_cast<int64_t>(column->memory_bytes());
    }
    if (rows()[0]->size() == 0) {
        state.SkipWithError("LINEITEM does not name a lineitem.tbl");
        return;
    }
    for (auto _ : state) {
        write_segment();
    }
    const auto num_rows = static_cast<double>(rows()[0]->size());
    state.SetBytesProcessed(state.iterations() * bytes_in_memory);
    state.counters["bytes_per_row"] =
        static_cast<double>(std::filesystem::file_size(path())) / num_rows;
    const auto segment = Segment::open(*local_file_system(), path(), nullptr).take();
    const TabletSchemaPtr schema = lineitem();
    for (const SchemaColumn& column : schema->columns()) {
        const auto pages = segment->column(column.unique_id).take();
        double bytes = 0;
        for (const uint32_t size : pages->sizes) {
            bytes += size;
        }
        state.counters[column.name] = bytes / num_rows;
    }
    std::filesystem::remove(path());
}

BENCHMARK(BM_WriteLineitem)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

void BM_ScanLineitem(benchmark::State& state) {
    if (rows()[0]->size() == 0) {
        state.SkipWithError("LINEITEM does not name a lineitem.tbl");
        return;
    }
    write_segment();
    PageCache cache(size_t{1} << 30);
    const auto segment = Segment::open(*local_file_system(), path(), &cache).take();
    auto scan = std::make_shared<SegmentScan>();
    const auto position = static_cast<size_t>(state.range(0));
    scan->output.push_back(
        {.unique_id = static_cast<int32_t>(position), .type = lineitem()->columns()[position].type}
    );
    for (auto _ : state) {
        auto iterator = SegmentIterator::open(scan, segment, {0, segment->num_rows()}).take();
        Batch batch;
        while (iterator->next(batch).take()) {
            benchmark::DoNotOptimize(batch.columns.data());
        }
    }
    state.SetItemsProcessed(state.iterations() * segment->num_rows());
    std::filesystem::remove(path());
}

BENCHMARK(BM_ScanLineitem)->DenseRange(0, 15)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thetis
