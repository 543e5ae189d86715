// SPDX-License-Identifier: Apache-2.0
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include "column/bucket_hash.h"
#include "column/builder.h"
#include "descriptors_types.h"
#include "functions/registries.h"
#include "load/body_decoder.h"
#include "load/body_pipe.h"
#include "load/load_channels.h"
#include "load/load_errors.h"
#include "load/load_reply.h"
#include "load/load_request.h"
#include "load/partition_router.h"
#include "load/remote_writer_session.h"
#include "load/routed_table_writer.h"
#include "load/testing/fake_storage_engine.h"
#include "plan_types.h"
#include "service_tablet_writer.pb.h"
#include "wire/status_codec.h"
#include "wire/thrift_codec.h"

namespace thetis {
namespace {

constexpr auto kPatience = std::chrono::seconds(20);

/// A value some other thread gives once.
template <typename T>
class Awaited {
public:
    void set(T value) {
        std::lock_guard lock(mutex_);
        value_ = std::move(value);
        wake_.notify_all();
    }

    std::optional<T> get() {
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, kPatience, [this] { return value_.has_value(); });
        return value_;
    }

private:
    std::mutex mutex_;
    std::condition_variable wake_;
    std::optional<T> value_;
};

wire::DataTypeDesc type_desc(TypeId id) {
    wire::DataTypeDesc desc;
    desc.id = static_cast<int32_t>(id);
    desc.nullable = true;
    return desc;
}

std::vector<DataType> types_of(const std::vector<TypeId>& ids) {
    std::vector<DataType> types;
    for (TypeId id : ids) {
        types.push_back(DataType::of(id));
    }
    return types;
}

wire::Literal int_literal(int64_t value) {
    wire::Literal literal;
    literal.is_null = false;
    literal.__set_int_value(value);
    return literal;
}

/// Partition p with `num_buckets` tablets p*100, p*100+1, ... on the given back ends.
wire::PartitionDesc partition(int64_t id, int num_buckets, std::vector<int64_t> backends = {1}) {
    wire::PartitionDesc desc;
    desc.partition_id = id;
    desc.name = fmt::format("p{}", id);
    desc.num_buckets = num_buckets;
    for (int i = 0; i < num_buckets; ++i) {
        wire::TabletLocation location;
        location.tablet_id = id * 100 + i;
        location.backend_ids = backends;
        desc.tablets.push_back(location);
    }
    return desc;
}

Batch int_batch(const std::vector<std::optional<int32_t>>& values) {
    ColumnBuilder builder(DataType::of(TypeId::kInt));
    for (const auto& value : values) {
        if (value.has_value()) {
            builder.append<int32_t>(*value);
        } else {
            builder.append_null();
        }
    }
    Batch batch;
    batch.num_rows = static_cast<uint32_t>(values.size());
    batch.columns.push_back(builder.finish());
    return batch;
}

std::unique_ptr<PartitionRouter> make_router(
    const wire::TablePartitionsDesc& partitions, const std::vector<TypeId>& types
) {
    auto router = PartitionRouter::make(partitions, types_of(types), std::nullopt);
    EXPECT_TRUE(router.ok()) << router.status().to_string();
    return router.take();
}

std::vector<int64_t> routed_partitions(const PartitionRouter& router, const Batch& batch) {
    std::vector<uint32_t> tablets;
    router.route(batch, 0, tablets);
    std::vector<int64_t> ids;
    for (uint32_t tablet : tablets) {
        ids.push_back(
            tablet == PartitionRouter::kNoTablet ? -1 : router.tablets()[tablet].partition_id
        );
    }
    return ids;
}

TEST(BucketHash, MatchesTheVectorsSharedWithTheFrontEnd) {
    auto root =
        std::filesystem::path(__FILE__).parent_path().parent_path().parent_path().parent_path();
    std::ifstream file(root / "gensrc/catalog/bucket_hash_vectors.csv");
    ASSERT_TRUE(file.is_open());
    std::string line;
    int num_vectors = 0;
    while (std::getline(file, line)) {
        if (line.starts_with("#") || line.starts_with("types,")) {
            continue;
        }
        size_t first = line.find(',');
        size_t last = line.rfind(',');
        std::istringstream types(line.substr(0, first));
        // A key may end in an empty string, which getline would drop.
        std::string values = line.substr(first + 1, last - first - 1) + "|";
        std::vector<ColumnPtr> columns;
        std::string type;
        while (std::getline(types, type, '|')) {
            size_t end = values.find('|');
            std::string value = values.substr(0, end);
            values.erase(0, end + 1);
            static const std::map<std::string, TypeId> kTypes{
                {"bool", TypeId::kBoolean},
                {"i8", TypeId::kTinyint},
                {"i16", TypeId::kSmallint},
                {"i32", TypeId::kInt},
                {"i64", TypeId::kBigint},
                {"i128", TypeId::kLargeint},
                {"string", TypeId::kString}
            };
            DataType data_type = DataType::of(kTypes.at(type));
            if (value == "\\N") {
                columns.push_back(Scalar::null(data_type).to_column());
            } else if (type == "string") {
                columns.push_back(Scalar::text(data_type, value).to_column());
            } else {
                int128_t number = 0;
                for (char c : value) {
                    number = c == '-' ? number : number * 10 + (c - '0');
                }
                columns.push_back(
                    Scalar::integer(data_type, value[0] == '-' ? -number : number).to_column()
                );
            }
        }
        uint32_t hash = 0;
        bucket_hash(columns, 1, &hash);
        EXPECT_EQ(std::to_string(hash), line.substr(last + 1)) << line;
        ++num_vectors;
    }
    EXPECT_GT(num_vectors, 30);
}

TEST(PartitionRouter, RoutesRangesWithNullLowest) {
    wire::TablePartitionsDesc partitions;
    partitions.kind = wire::PartitionKind::RANGE;
    partitions.partition_columns = {0};
    partitions.distribution_columns = {0};
    auto low = partition(1, 1);
    low.__isset.upper = true;
    low.upper.values = {int_literal(10)};
    auto middle = partition(2, 3);
    middle.__isset.lower = middle.__isset.upper = true;
    middle.lower.values = {int_literal(10)};
    middle.upper.values = {int_literal(20)};
    auto high = partition(3, 1);
    high.__isset.lower = high.__isset.upper = true;
    high.lower.values = {int_literal(30)};
    high.upper.values = {int_literal(40)};
    partitions.partitions = {high, low, middle};
    auto router = make_router(partitions, {TypeId::kInt});
    EXPECT_EQ(
        routed_partitions(*router, int_batch({-5, 9, 10, 19, 20, 29, 30, 39, 40, std::nullopt})),
        (std::vector<int64_t>{1, 1, 2, 2, -1, -1, 3, 3, -1, 1})
    );
}

TEST(PartitionRouter, RoutesListsAndBuckets) {
    wire::TablePartitionsDesc partitions;
    partitions.kind = wire::PartitionKind::LIST;
    partitions.partition_columns = {0};
    partitions.distribution_columns = {0};
    auto first = partition(1, 4);
    wire::PartitionKey key;
    for (int value : {1, 2}) {
        key.values = {int_literal(value)};
        first.in_keys.push_back(key);
    }
    auto nulls = partition(2, 1);
    wire::Literal null;
    null.is_null = true;
    key.values = {null};
    nulls.in_keys = {key};
    partitions.partitions = {first, nulls};
    auto router = make_router(partitions, {TypeId::kInt});
    auto batch = int_batch({1, 2, 3, std::nullopt});
    EXPECT_EQ(routed_partitions(*router, batch), (std::vector<int64_t>{1, 1, -1, 2}));
    std::vector<uint32_t> tablets;
    router->route(batch, 0, tablets);
    uint32_t hashes[4];
    bucket_hash(batch.columns, 4, hashes);
    EXPECT_EQ(router->tablets()[tablets[0]].tablet_id, 100 + hashes[0] % 4);
}

TEST(PartitionRouter, SpreadsRandomTablesAndRefusesNonsense) {
    wire::TablePartitionsDesc partitions;
    partitions.partitions = {partition(1, 3)};
    auto router = make_router(partitions, {TypeId::kInt});
    std::set<uint32_t> seen;
    for (uint32_t turn = 0; turn < 3; ++turn) {
        std::vector<uint32_t> tablets;
        router->route(int_batch({1, 2}), turn, tablets);
        EXPECT_EQ(tablets[0], tablets[1]);
        seen.insert(tablets[0]);
    }
    EXPECT_EQ(seen.size(), 3U);
    partitions.distribution_columns = {7};
    EXPECT_FALSE(PartitionRouter::make(partitions, types_of({TypeId::kInt}), std::nullopt).ok());
    partitions.distribution_columns = {};
    partitions.partitions[0].num_buckets = 2;
    EXPECT_FALSE(PartitionRouter::make(partitions, types_of({TypeId::kInt}), std::nullopt).ok());
}

/// A storage engine in memory with load channels on top, and a writer over it.
class LoadFixture : public testing::Test {
protected:
    std::shared_ptr<LoadChannel> open(
        const QueryId& id,
        int num_senders = 1,
        std::chrono::milliseconds timeout = std::chrono::minutes(5)
    ) {
        auto channel = channels_.open(
            {id, 7, std::chrono::steady_clock::now() + timeout, num_senders, {LoadIndex()}}
        );
        EXPECT_TRUE(channel.ok()) << channel.status().to_string();
        return channel.ok() ? channel.take() : nullptr;
    }

    std::shared_ptr<RoutedTableWriter> writer(
        const QueryId& id,
        const wire::TablePartitionsDesc& partitions,
        RoutedWriterOptions options = {}
    ) {
        RoutedTableWriter::Backends backends;
        backends[1] = make_local_writer(open(id), 1);
        return std::make_shared<RoutedTableWriter>(
            std::move(options),
            make_router(partitions, {TypeId::kInt}),
            std::move(backends),
            nullptr
        );
    }

    static Result<LoadCounters> finish(RoutedTableWriter& writer) {
        auto awaited = std::make_shared<Awaited<Result<LoadCounters>>>();
        writer.finish([awaited](Result<LoadCounters> result) { awaited->set(std::move(result)); });
        auto result = awaited->get();
        return result.has_value() ? *result
                                  : Result<LoadCounters>(Status::error(
                                        ErrorCode::kTimeout, "finish() never answered"
                                    ));
    }

    /// A channel answers its senders before it is forgotten, so that they wait for nothing.
    bool channels_end() const {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (channels_.num_channels() > 0 && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return channels_.num_channels() == 0;
    }

    FakeStorageEngine engine_;
    TimerWheel timers_;
    LoadChannels channels_{engine_, timers_, 2};
};

wire::TablePartitionsDesc two_buckets() {
    wire::TablePartitionsDesc partitions;
    partitions.kind = wire::PartitionKind::UNPARTITIONED;
    partitions.distribution_columns = {0};
    partitions.partitions = {partition(1, 2)};
    return partitions;
}

TEST_F(LoadFixture, WritesEveryRowOnceAndCommitsAllTabletsOfThePartition) {
    auto target = writer({1, 1}, two_buckets());
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(target->write(int_batch({i, i + 1000, std::nullopt})).ok());
    }
    auto counters = finish(*target);
    ASSERT_TRUE(counters.ok()) << counters.status().to_string();
    EXPECT_EQ(counters->loaded_rows, 150);
    EXPECT_EQ(counters->tablets.size(), 2U);
    EXPECT_EQ(engine_.committed_rows(100) + engine_.committed_rows(101), 150);
    EXPECT_TRUE(channels_end());
}

TEST_F(LoadFixture, CommitsTabletsWithoutRowsOfTouchedPartitionsTogether) {
    wire::TablePartitionsDesc partitions;
    partitions.kind = wire::PartitionKind::UNPARTITIONED;
    partitions.distribution_columns = {0};
    partitions.partitions = {partition(1, 100)};
    auto target = writer({1, 2}, partitions);
    ASSERT_TRUE(target->write(int_batch({5})).ok());
    auto counters = finish(*target);
    ASSERT_TRUE(counters.ok());
    EXPECT_EQ(counters->tablets.size(), 100U);
    EXPECT_EQ(engine_.num_writers_opened(), 1);
    EXPECT_EQ(engine_.num_empty_commits(), 1);
}

TEST_F(LoadFixture, AlsoWritesTheShadowOfASchemaChange) {
    wire::TableSink table;
    wire::ColumnDesc column;
    column.unique_id = 4;
    column.name = "c";
    column.type = type_desc(TypeId::kInt);
    table.schema.columns = {column};
    wire::IndexSink sink;
    sink.schema.index_id = 77;
    column.unique_id = 9;
    column.name = "c";
    column.type = type_desc(TypeId::kInt);
    column.type.nullable = false;
    sink.schema.columns = {column};
    wire::Expr slot;
    slot.type = type_desc(TypeId::kInt);
    wire::SlotRef position;
    position.position = 0;
    slot.node.__set_slot(position);
    const auto functions = FunctionRegistries::create();
    sink.expressions = {slot};
    for (int64_t id : {500, 501}) {
        wire::TabletLocation location;
        location.tablet_id = id;
        location.backend_ids = {1};
        sink.tablets[1].push_back(location);
    }
    auto router = make_router(two_buckets(), {TypeId::kInt});
    auto further = FurtherIndex::make(sink, table, router->tablets(), functions);
    ASSERT_TRUE(further.ok()) << further.status().to_string();
    RoutedWriterOptions options;
    options.further_indexes.push_back(further.take());
    LoadChannelOptions channel;
    channel.load_id = {1, 20};
    channel.deadline = std::chrono::steady_clock::now() + kPatience;
    channel.indexes.resize(2);
    channel.indexes[1].column_unique_ids = {9};
    ASSERT_TRUE(channels_.open(channel).ok());
    auto target = writer({1, 20}, two_buckets(), std::move(options));
    // The shadow cannot hold the NULL, so no index takes that row.
    ASSERT_TRUE(target->write(int_batch({1, 2, 3, std::nullopt, 4})).ok());
    auto counters = finish(*target);
    ASSERT_TRUE(counters.ok()) << counters.status().to_string();
    EXPECT_EQ(counters->loaded_rows, 4);
    EXPECT_EQ(counters->filtered_rows, 1);
    EXPECT_EQ(counters->tablets.size(), 4U);
    EXPECT_EQ(engine_.committed_rows(100) + engine_.committed_rows(101), 4);
    EXPECT_EQ(engine_.committed_rows(500), engine_.committed_rows(100));
    EXPECT_EQ(engine_.committed_rows(501), engine_.committed_rows(101));
    EXPECT_EQ(engine_.writer_options(500).column_unique_ids, std::vector<int32_t>{9});
    sink.tablets[1].pop_back();
    EXPECT_FALSE(FurtherIndex::make(sink, table, router->tablets(), functions).ok());
}

TEST_F(LoadFixture, ASlowReceiverStopsTheSenderAtTheBytesInFlightAndOthersGoOn) {
    engine_.close_gate();
    RoutedWriterOptions options;
    options.max_bytes_in_flight = 2000;
    options.in_flight = std::make_shared<InFlightBytes>(3000);
    auto target = writer({1, 30}, two_buckets(), options);
    std::vector<std::optional<int32_t>> rows(100, 7);
    const auto batch_bytes = static_cast<int64_t>(int_batch(rows).memory_bytes());
    int sent = 0;
    while (target->blocked() == nullptr && sent < 1000) {
        ASSERT_TRUE(target->write(int_batch(rows)).ok());
        ++sent;
    }
    EXPECT_LE(options.in_flight->bytes(), options.max_bytes_in_flight + batch_bytes);
    EXPECT_GE(options.in_flight->bytes(), options.max_bytes_in_flight);
    // A second load gets what is left, or at least one batch.
    auto second = writer({1, 31}, two_buckets(), options);
    int sent_second = 0;
    while (second->blocked() == nullptr && sent_second < 1000) {
        ASSERT_TRUE(second->write(int_batch(rows)).ok());
        ++sent_second;
    }
    EXPECT_GE(sent_second, 1);
    EXPECT_LE(options.in_flight->bytes(), 3000 + batch_bytes);
    DependencyPtr waiting = target->blocked();
    ASSERT_NE(waiting, nullptr);
    engine_.open_gate();
    auto counters = finish(*target);
    ASSERT_TRUE(counters.ok()) << counters.status().to_string();
    EXPECT_TRUE(waiting->is_ready());
    EXPECT_EQ(counters->loaded_rows, sent * 100);
    EXPECT_TRUE(finish(*second).ok());
    EXPECT_EQ(options.in_flight->bytes(), 0);
}

TEST_F(LoadFixture, FailsWhenATabletCannotBeWritten) {
    engine_.fail_tablet(100);
    engine_.fail_tablet(101);
    auto target = writer({1, 3}, two_buckets());
    EXPECT_TRUE(target->write(int_batch({1, 2, 3, 4})).ok());
    auto counters = finish(*target);
    EXPECT_FALSE(counters.ok());
    EXPECT_EQ(engine_.committed_rows(100), 0);
}

TEST_F(LoadFixture, CancelLeavesNothing) {
    auto target = writer({1, 4}, two_buckets());
    ASSERT_TRUE(target->write(int_batch({1, 2, 3})).ok());
    target->cancel(Status::error(ErrorCode::kCancelled, "test"));
    EXPECT_FALSE(target->write(int_batch({1})).ok());
    EXPECT_FALSE(finish(*target).ok());
    channels_.shutdown();
    EXPECT_EQ(engine_.num_open_writers(), 0);
    EXPECT_EQ(engine_.committed_rows(100) + engine_.committed_rows(101), 0);
}

TEST_F(LoadFixture, RowsWithoutPartitionAreCountedOrFail) {
    wire::TablePartitionsDesc partitions;
    partitions.kind = wire::PartitionKind::RANGE;
    partitions.partition_columns = {0};
    partitions.distribution_columns = {0};
    auto low = partition(1, 1);
    low.__isset.upper = true;
    low.upper.values = {int_literal(10)};
    partitions.partitions = {low};
    auto lenient = writer({1, 5}, partitions);
    ASSERT_TRUE(lenient->write(int_batch({1, 50})).ok());
    auto counters = finish(*lenient);
    ASSERT_TRUE(counters.ok());
    EXPECT_EQ(counters->loaded_rows, 1);
    EXPECT_EQ(counters->filtered_rows, 1);
    RoutedWriterOptions strict;
    strict.fail_without_partition = true;
    EXPECT_EQ(
        writer({1, 6}, partitions, strict)->write(int_batch({50})).code(),
        ErrorCode::kNoPartitionForValue
    );
}

TEST_F(LoadFixture, CommitsWhenTheLastSenderCloses) {
    auto channel = open({1, 7}, 2);
    Awaited<LoadCloseResult> first;
    Awaited<LoadCloseResult> second;
    channel->write(
        0,
        std::make_shared<const Batch>(int_batch({1, 2})),
        {{100, 1, {0, 1}}},
        [](const Status&) {}
    );
    channel->close_sender(1, {}, [&](const LoadCloseResult& result) { first.set(result); });
    channel->write(
        0, std::make_shared<const Batch>(int_batch({3})), {{100, 1, {0}}}, [](const Status&) {}
    );
    EXPECT_EQ(engine_.committed_rows(100), 0);
    channel->close_sender(2, {}, [&](const LoadCloseResult& result) { second.set(result); });
    ASSERT_TRUE(first.get().has_value());
    EXPECT_EQ(second.get()->committed, std::vector<int64_t>{100});
    EXPECT_EQ(engine_.committed_rows(100), 3);
    EXPECT_FALSE(
        channels_.open({{1, 7}, 7, std::chrono::steady_clock::now() + kPatience, 1, {}}).ok()
    ) << "a load that ended is not reopened";
}

TEST_F(LoadFixture, ALoadPastItsDeadlineIsCancelled) {
    auto channel = open({1, 8}, 2, std::chrono::milliseconds(20));
    Awaited<LoadCloseResult> closed;
    channel->close_sender(1, {}, [&](const LoadCloseResult& result) { closed.set(result); });
    auto result = closed.get();
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->status.code(), ErrorCode::kTimeout);
}

TEST_F(LoadFixture, RemoteSessionRefusesHostileRequests) {
    auto replies = std::make_shared<Awaited<pb::WriterReply>>();
    auto session = std::make_shared<RemoteWriterSession>(
        channels_,
        [replies](pb::WriterReply reply, bool last) {
            if (last) {
                replies->set(std::move(reply));
            }
        }
    );
    pb::WriterRequest open;
    open.mutable_open()->mutable_load_id()->set_high(9);
    open.mutable_open()->set_txn_id(1);
    open.mutable_open()->set_timeout_ms(60'000);
    open.mutable_open()->set_num_senders(1);
    wire::TabletSchemaDesc schema;
    wire::ColumnDesc column;
    column.name = "c";
    column.type = type_desc(TypeId::kInt);
    schema.columns = {column};
    open.mutable_open()->add_indexes()->set_schema(*encode_compact(schema));
    session->on_request(open);
    EXPECT_EQ(channels_.num_channels(), 1U);
    pb::WriterRequest write;
    write.mutable_write()->set_batch("these bytes are no batch");
    session->on_request(write);
    auto reply = replies->get();
    ASSERT_TRUE(reply.has_value());
    EXPECT_EQ(from_proto(reply->status()).code(), ErrorCode::kCorruption);
    EXPECT_TRUE(channels_end());
    session->on_disconnect();
}

TEST(BodyPipe, BoundsAndEnds) {
    BodyPipe pipe(4);
    auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::milliseconds(20); };
    EXPECT_TRUE(pipe.push("12345", soon()).ok());
    EXPECT_EQ(pipe.push("6", soon()).code(), ErrorCode::kTimeout);
    std::string bytes;
    EXPECT_EQ(*pipe.pull(bytes), BodyPipe::Pull::kBytes);
    EXPECT_EQ(bytes, "12345");
    EXPECT_EQ(*pipe.pull(bytes), BodyPipe::Pull::kWait);
    pipe.finish({});
    EXPECT_TRUE(pipe.readable()->is_ready());
    EXPECT_EQ(*pipe.pull(bytes), BodyPipe::Pull::kEnd);
    BodyPipe broken(4);
    broken.finish(Status::error(ErrorCode::kCancelled, "gone"));
    EXPECT_EQ(broken.pull(bytes).status().code(), ErrorCode::kCancelled);
    broken.close();
    EXPECT_EQ(broken.push("x", soon()).code(), ErrorCode::kCancelled);
}

std::string compress_with(const std::string& kind, const std::string& text) {
    std::string out(text.size() * 2 + 1024, '\0');
    if (kind == "gz") {
        z_stream stream{};
        deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
        stream.avail_in = static_cast<uInt>(text.size());
        stream.next_out = reinterpret_cast<Bytef*>(out.data());
        stream.avail_out = static_cast<uInt>(out.size());
        deflate(&stream, Z_FINISH);
        out.resize(stream.total_out);
        deflateEnd(&stream);
    } else if (kind == "lz4") {
        out.resize(LZ4F_compressFrameBound(text.size(), nullptr));
        out.resize(LZ4F_compressFrame(out.data(), out.size(), text.data(), text.size(), nullptr));
    } else {
        out.resize(ZSTD_compressBound(text.size()));
        out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    }
    return out;
}

TEST(BodyDecoder, DecodesPiecesAndRefusesTruncatedStreams) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) {
        text += fmt::format("{},row {}\n", i, i * 7);
    }
    for (const std::string kind : {"gz", "LZ4", "zstd"}) {
        std::string compressed = compress_with(kind == "LZ4" ? "lz4" : kind, text);
        auto decoder = make_body_decoder(kind);
        ASSERT_TRUE(decoder.ok());
        std::string decoded;
        for (size_t at = 0; at < compressed.size(); at += 1000) {
            Status status = (*decoder)->decode(
                std::string_view(compressed).substr(at, 1000),
                [&](std::string_view piece) {
                    decoded += piece;
                    return Status();
                }
            );
            ASSERT_TRUE(status.ok()) << kind << ": " << status.to_string();
        }
        EXPECT_TRUE((*decoder)->finish().ok()) << kind;
        EXPECT_EQ(decoded, text) << kind;
        auto truncated = make_body_decoder(kind);
        (void)(*truncated)
            ->decode(
                std::string_view(compressed).substr(0, compressed.size() / 2),
                [](std::string_view) { return Status(); }
            );
        EXPECT_FALSE((*truncated)->finish().ok()) << kind;
        auto garbage = make_body_decoder(kind);
        EXPECT_FALSE((*garbage)
                         ->decode(
                             "this is not compressed at all, not one byte of it",
                             [](std::string_view) { return Status(); }
                         )
                         .ok()
        ) << kind;
    }
    EXPECT_EQ(make_body_decoder("lzo").status().code(), ErrorCode::kNotSupported);
}

TEST(LoadRequest, ChecksHeadersAndAuthorization) {
    auto check = [](std::map<std::string, std::string> headers, int64_t bytes = 10) {
        LoadRequest request;
        request.headers = std::move(headers);
        request.body_bytes = bytes;
        return check_load_request(request, {100, 1}).code();
    };
    EXPECT_EQ(check({}), ErrorCode::kOk);
    EXPECT_EQ(
        check({{"format", "JSON"}, {"max_filter_ratio", "0.5"}, {"strict_mode", "true"}}),
        ErrorCode::kOk
    );
    EXPECT_EQ(check({{"format", "xml"}}), ErrorCode::kInvalidArgument);
    EXPECT_EQ(check({{"format", "orc"}}), ErrorCode::kNotSupported);
    EXPECT_EQ(check({{"format", "json"}, {"compress_type", "gz"}}), ErrorCode::kInvalidArgument);
    EXPECT_EQ(check({{"max_filter_ratio", "1.5"}}), ErrorCode::kInvalidArgument);
    EXPECT_EQ(check({{"strict_mode", "maybe"}}), ErrorCode::kInvalidArgument);
    EXPECT_EQ(check({{"timeout", "0"}}), ErrorCode::kInvalidArgument);
    EXPECT_EQ(check({{"skip_lines", "x"}}), ErrorCode::kInvalidArgument);
    EXPECT_EQ(check({{"negative", "true"}}), ErrorCode::kNotSupported);
    EXPECT_EQ(check({{"merge_type", "DELETE"}}), ErrorCode::kOk);
    EXPECT_EQ(check({}, int64_t{101} << 20), ErrorCode::kInvalidArgument);
    EXPECT_EQ(check({{"format", "json"}}, int64_t{2} << 20), ErrorCode::kInvalidArgument);
    EXPECT_EQ(
        check({{"format", "json"}, {"read_json_by_line", "true"}}, int64_t{2} << 20), ErrorCode::kOk
    );

    std::string user;
    std::string password;
    EXPECT_TRUE(parse_basic_auth("Basic cm9vdDo=", user, password).ok());
    EXPECT_EQ(user + "/" + password, "root/");
    EXPECT_TRUE(parse_basic_auth("basic dXNlckBjbHVzdGVyOnA6dw==", user, password).ok());
    EXPECT_EQ(user + "/" + password, "user/p:w");
    for (const char* bad : {"", "Basic", "Basic !!!!", "Bearer x", "Basic bm9jb2xvbg=="}) {
        EXPECT_EQ(parse_basic_auth(bad, user, password).code(), ErrorCode::kAccessDenied) << bad;
    }
}

TEST(LoadReply, HasTheFieldsClientsParse) {
    LoadReply reply;
    reply.txn_id = 5;
    reply.label = "l\"1";
    reply.status = "Success";
    reply.message = "OK";
    reply.loaded_rows = 3;
    reply.filtered_rows = 1;
    std::string json = reply.to_json();
    EXPECT_NE(json.find("\"TxnId\": 5,"), std::string::npos) << json;
    EXPECT_NE(json.find("\"Label\": \"l\\\"1\","), std::string::npos) << json;
    EXPECT_NE(json.find("\"TwoPhaseCommit\": \"false\","), std::string::npos) << json;
    EXPECT_NE(json.find("\"NumberTotalRows\": 4,"), std::string::npos) << json;
    EXPECT_EQ(json.find("ErrorURL"), std::string::npos) << json;
}

TEST(LoadErrors, KeepsReasonsAndRows) {
    auto directory =
        std::filesystem::temp_directory_path() / fmt::format("thetis_load_test_{}", getpid());
    ErrorLogStore store(directory.string(), "http://h:1/api/_load_error_log?file=");
    ASSERT_TRUE(store.open().ok());
    LoadErrors errors(store, 1 << 20);
    EXPECT_EQ(errors.url(), "");
    errors.reject(4, "column x is not a number", "4,abc");
    errors.add_unselected(2);
    EXPECT_EQ(errors.num_filtered(), 1);
    EXPECT_EQ(errors.num_unselected(), 2);
    std::string url = errors.url();
    std::string prefix = "http://h:1/api/_load_error_log?file=";
    ASSERT_TRUE(url.starts_with(prefix)) << url;
    auto content = store.read(url.substr(prefix.size()));
    ASSERT_TRUE(content.ok());
    EXPECT_EQ(*content, "Reason: column x is not a number. line 4. src line [4,abc]; \n");
    EXPECT_FALSE(store.read("../etc/passwd").ok());
    EXPECT_FALSE(store.read("none").ok());
    std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace thetis
