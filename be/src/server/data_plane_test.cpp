// SPDX-License-Identifier: Apache-2.0
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include "base/debug_points.h"
#include "base/metrics.h"
#include "descriptors_types.h"
#include "functions/registries.h"
#include "load/backend_writer.h"
#include "load/load_channels.h"
#include "load/testing/fake_storage_engine.h"
#include "query/lookup/lookup_service.h"
#include "query/testing/query_fixture.h"
#include "server/baidu/baidu_server.h"
#include "server/baidu/testing/baidu_client.h"
#include "server/data_plane_server.h"
#include "server/grpc_exchange_transport.h"
#include "server/lookup_calls.h"
#include "service_fragment.grpc.pb.h"
#include "service_lookup.pb.h"
#include "wire/data_plane_client.h"
#include "wire/status_codec.h"
#include "wire/thrift_codec.h"

namespace thetis {
namespace {

using testing::Backend;

constexpr auto kPatience = std::chrono::seconds(20);
constexpr int64_t kMaxMessage = 64 << 20;

/// A back end in memory whose data plane listens on a loopback port.
class ServedBackend {
public:
    explicit ServedBackend(
        ExchangeTransport* transport = nullptr, FragmentManagerOptions options = {}
    )
        : backend(2, options, transport) {
        EXPECT_TRUE(small_calls.start().ok());
        Status status = server.start("127.0.0.1", 0, 2, kMaxMessage);
        EXPECT_TRUE(status.ok()) << status.to_string();
        stub = pb::FragmentService::NewStub(grpc::CreateChannel(
            "127.0.0.1:" + std::to_string(server.port()), grpc::InsecureChannelCredentials()
        ));
    }

    ~ServedBackend() {
        backend.manager().shutdown();
        loads.shutdown();
        server.stop();
        small_calls.stop();
    }

    Status prepare(const wire::ExecPlan& plan, bool start) {
        auto bytes = encode_compact(plan);
        EXPECT_TRUE(bytes.ok());
        pb::PrepareRequest request;
        request.set_exec_plan(*bytes);
        request.set_start(start);
        return call(request, &pb::FragmentService::Stub::Prepare);
    }

    template <typename Request, typename Method>
    Status call(const Request& request, Method method) {
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + kPatience);
        pb::StatusReply reply;
        auto status = (stub.get()->*method)(&context, request, &reply);
        return status.ok() ? from_proto(reply)
                           : Status(ErrorCode::kRpcError, status.error_message());
    }

    /// All rows of a query's result as text; the last chunk's status.
    Status fetch(int64_t query, std::vector<testing::TextRow>& rows) {
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + kPatience);
        pb::FetchRequest request;
        request.mutable_query_id()->set_high(7);
        request.mutable_query_id()->set_low(static_cast<uint64_t>(query));
        auto reader = stub->Fetch(&context, request);
        pb::ResultChunk chunk;
        Status last(ErrorCode::kRpcError, "no last chunk");
        while (reader->Read(&chunk)) {
            testing::parse_rows(chunk.packets(), rows);
            if (chunk.eos()) {
                last = from_proto(chunk.status());
            }
        }
        auto status = reader->Finish();
        EXPECT_TRUE(status.ok()) << status.error_message();
        return last;
    }

    FakeStorageEngine engine;
    TimerWheel timers;
    LoadChannels loads{engine, timers, 2};
    Backend backend;
    FunctionRegistries functions = FunctionRegistries::create();
    MetricRegistry metrics;
    LookupService lookups{engine, functions, metrics, {}};
    DebugPoints points{true};
    BaiduServer small_calls{{make_lookup_calls(lookups, &points)}, {}, metrics};
    DataPlaneServer server{backend.manager(), loads, nullptr, &small_calls};
    std::unique_ptr<pb::FragmentService::Stub> stub;
};

pb::StartRequest start_request(int64_t query) {
    pb::StartRequest request;
    request.mutable_query_id()->set_high(7);
    request.mutable_query_id()->set_low(static_cast<uint64_t>(query));
    return request;
}

TEST(DataPlane, PreparesStartsAndFetches) {
    ServedBackend served;
    ASSERT_TRUE(served.prepare(testing::result_plan(1, testing::numbers(1, 5000)), true).ok());
    std::vector<testing::TextRow> rows;
    Status status = served.fetch(1, rows);
    EXPECT_TRUE(status.ok()) << status.to_string();
    EXPECT_EQ(rows.size(), 5000U);

    ASSERT_TRUE(served.prepare(testing::result_plan(2, testing::numbers(1, 3)), false).ok());
    ASSERT_TRUE(served.call(start_request(2), &pb::FragmentService::Stub::Start).ok());
    rows.clear();
    EXPECT_TRUE(served.fetch(2, rows).ok());
    EXPECT_EQ(rows.size(), 3U);
    EXPECT_TRUE(served.backend.is_idle_soon());
}

constexpr const char* kLookupService = "thetis.pb.LookupService";

/// A look-up by a plan that nobody sent.
std::string lookup_frame(int64_t id) {
    pb::LookupRequest request;
    request.set_plan_id_high(1);
    request.set_plan_id_low(2);
    auto& tablet = *request.add_tablets();
    tablet.set_tablet_id(10);
    tablet.set_version(2);
    tablet.add_keys("key");
    return testing::request_frame(kLookupService, "Lookup", id, request.SerializeAsString());
}

TEST(DataPlane, ServesGrpcAndSmallCallsOnOnePort) {
    ServedBackend served;
    std::atomic<bool> ends{false};
    std::atomic<int> num_calls{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 2; ++i) {
        clients.emplace_back([&] {
            testing::BaiduClient client(served.server.port());
            for (int64_t id = 0; !ends; ++id) {
                client.send(lookup_frame(id));
                auto reply = client.receive();
                ASSERT_TRUE(reply.has_value());
                ASSERT_EQ(reply->correlation_id, id);
                ASSERT_EQ(reply->error_code, 0) << reply->error_text;
                pb::LookupReply answer;
                ASSERT_TRUE(answer.ParseFromString(reply->message));
                ASSERT_TRUE(answer.needs_plan() || answer.code() != 0);
                ++num_calls;
            }
        });
    }
    for (int64_t query = 1; query <= 5; ++query) {
        ASSERT_TRUE(
            served.prepare(testing::result_plan(query, testing::numbers(1, 20'000)), true).ok()
        );
        std::vector<testing::TextRow> rows;
        EXPECT_TRUE(served.fetch(query, rows).ok());
        EXPECT_EQ(rows.size(), 20'000U);
    }
    ends = true;
    for (auto& client : clients) {
        client.join();
    }
    EXPECT_GT(num_calls, 0);
    EXPECT_TRUE(served.backend.is_idle_soon());
}

TEST(DataPlane, LookupCallsRefuseGarbageAndHaveDebugPoints) {
    ServedBackend served;
    testing::BaiduClient client(served.server.port());
    client.send(testing::request_frame(kLookupService, "Lookup", 1, "\x0b no look-up"));
    client.send(testing::request_frame(kLookupService, "LookUp", 2, ""));
    EXPECT_EQ(client.receive()->error_code, 1003);
    EXPECT_EQ(client.receive()->error_code, 1002);
    ASSERT_TRUE(served.points.add("LookupService.lookup.drop", {}, 1).ok());
    client.send(lookup_frame(3) + lookup_frame(4));
    EXPECT_EQ(client.receive()->correlation_id, 4);
    ASSERT_TRUE(served.points.add("LookupService.lookup.delay", {{"ms", "50"}}, 1).ok());
    auto begin = std::chrono::steady_clock::now();
    client.send(lookup_frame(5));
    EXPECT_EQ(client.receive()->correlation_id, 5);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(50));
}

TEST(DataPlane, AnswersHostilePlansAndUnknownQueries) {
    ServedBackend served;
    pb::PrepareRequest request;
    request.set_exec_plan("\x15\x16 no plan at all");
    EXPECT_EQ(
        served.call(request, &pb::FragmentService::Stub::Prepare).code(), ErrorCode::kCorruption
    );
    EXPECT_EQ(
        served.call(start_request(99), &pb::FragmentService::Stub::Start).code(),
        ErrorCode::kNotFound
    );
    std::vector<testing::TextRow> rows;
    EXPECT_EQ(served.fetch(99, rows).code(), ErrorCode::kNotFound);
}

TEST(DataPlane, CancelReachesAWaitingFetch) {
    ServedBackend served;
    ASSERT_TRUE(served.prepare(testing::result_plan(3, testing::numbers(1, 10)), false).ok());
    std::vector<testing::TextRow> rows;
    Status fetched;
    std::thread fetcher([&] { fetched = served.fetch(3, rows); });
    pb::CancelRequest cancel;
    *cancel.mutable_query_id() = start_request(3).query_id();
    cancel.set_code(static_cast<int32_t>(ErrorCode::kCancelled));
    cancel.set_reason("killed by a test");
    EXPECT_TRUE(served.call(cancel, &pb::FragmentService::Stub::Cancel).ok());
    fetcher.join();
    EXPECT_FALSE(fetched.ok());
    EXPECT_TRUE(served.backend.is_idle_soon());
}

TEST(DataPlane, ADisconnectedFetcherEndsItsQuery) {
    ServedBackend served;
    ASSERT_TRUE(served.prepare(testing::result_plan(4, testing::numbers(1, 100'000'000)), true).ok()
    );
    {
        grpc::ClientContext context;
        pb::FetchRequest request;
        *request.mutable_query_id() = start_request(4).query_id();
        auto reader = served.stub->Fetch(&context, request);
        pb::ResultChunk chunk;
        ASSERT_TRUE(reader->Read(&chunk));
        context.TryCancel();
        while (reader->Read(&chunk)) {
        }
        (void)reader->Finish();
    }
    EXPECT_TRUE(served.backend.is_idle_soon());
}

TEST(DataPlane, ExchangesRowsBetweenBackEnds) {
    DataPlaneClient client(1, kMaxMessage);
    GrpcExchangeTransport transport(client);
    ServedBackend first(&transport);
    ServedBackend second(&transport);

    wire::PlanNode source = testing::node(6, {DataType::of(TypeId::kBigint, false)});
    wire::ExchangeSource exchange;
    exchange.exchange_id = 10;
    source.op.__set_exchange_source(exchange);
    auto receiving = testing::result_plan(5, source);
    receiving.instances[0].num_senders[10] = 1;
    ASSERT_TRUE(first.prepare(receiving, false).ok());

    auto sending = testing::result_plan(5, testing::numbers(1, 50'000));
    sending.backend_id = 2;
    sending.fragments[0].id = sending.instances[0].fragment_id = 1;
    wire::ExchangeSink sink;
    sink.exchange_id = 10;
    sink.destination_fragment = 0;
    sink.kind = wire::ExchangeKind::GATHER;
    wire::ExchangeDestination destination;
    destination.backend.id = 1;
    destination.backend.host = "127.0.0.1";
    destination.backend.brpc_port = first.server.port();
    sink.destinations = {destination};
    sending.fragments[0].sink = wire::PlanSink();
    sending.fragments[0].sink.__set_exchange(sink);
    ASSERT_TRUE(second.prepare(sending, true).ok());
    ASSERT_TRUE(first.call(start_request(5), &pb::FragmentService::Stub::Start).ok());
    std::vector<testing::TextRow> rows;
    Status status = first.fetch(5, rows);
    EXPECT_TRUE(status.ok()) << status.to_string();
    EXPECT_EQ(rows.size(), 50'000U);
    std::vector<testing::TextRow> none;
    EXPECT_TRUE(second.fetch(5, none).ok());
    EXPECT_TRUE(none.empty());
    EXPECT_TRUE(first.backend.is_idle_soon());
    EXPECT_TRUE(second.backend.is_idle_soon());
}

Batch numbers_batch(uint32_t num_rows) {
    ColumnBuilder builder(DataType::of(TypeId::kBigint));
    for (uint32_t i = 0; i < num_rows; ++i) {
        builder.append<int64_t>(i);
    }
    Batch batch;
    batch.num_rows = num_rows;
    batch.columns.push_back(builder.finish());
    return batch;
}

wire::TabletSchemaDesc number_schema() {
    wire::TabletSchemaDesc schema;
    wire::ColumnDesc column;
    column.unique_id = 3;
    column.name = "n";
    column.type.id = static_cast<int32_t>(TypeId::kBigint);
    schema.columns = {column};
    return schema;
}

LoadIndex number_index() {
    LoadIndex index;
    index.column_unique_ids = {3};
    index.partial_update = true;
    return index;
}

RemoteWriterTarget writer_target(const ServedBackend& served) {
    return {"127.0.0.1", served.server.port(), 1, 1, 60'000, {*encode_compact(number_schema())}};
}

TEST(DataPlane, WritesTabletsOnAnotherBackEnd) {
    DataPlaneClient client(1, kMaxMessage);
    ServedBackend served;
    LoadChannelOptions options;
    options.load_id = {1, 2};
    options.txn_id = 9;
    options.indexes = {number_index()};
    auto writer = make_remote_writer(client, writer_target(served), options);
    std::atomic<int> consumed{0};
    for (int i = 0; i < 20; ++i) {
        OutgoingBatch batch(numbers_batch(1000));
        writer->write(0, batch, {{100, 1, {0, 1, 999}}, {101, 1, {5}}}, [&](const Status& status) {
            consumed += status.ok() ? 1 : 0;
        });
    }
    std::promise<LoadCloseResult> closed;
    writer->close({{0, {100, 101, 102}}}, [&](const LoadCloseResult& result) {
        closed.set_value(result);
    });
    auto future = closed.get_future();
    ASSERT_EQ(future.wait_for(kPatience), std::future_status::ready);
    auto result = future.get();
    EXPECT_TRUE(result.status.ok()) << result.status.to_string();
    std::sort(result.committed.begin(), result.committed.end());
    EXPECT_EQ(result.committed, (std::vector<int64_t>{100, 101, 102}));
    EXPECT_EQ(consumed.load(), 20);
    EXPECT_EQ(served.engine.committed_rows(100), 60);
    WriterOptions opened = served.engine.writer_options(100);
    EXPECT_EQ(opened.column_unique_ids, std::vector<int32_t>{3});
    EXPECT_TRUE(opened.partial_update);
    ASSERT_NE(opened.schema, nullptr);
    EXPECT_EQ(opened.schema->columns()[0].name, "n");
}

TEST(DataPlane, AWriterThatVanishesLeavesNothing) {
    DataPlaneClient client(1, kMaxMessage);
    ServedBackend served;
    LoadChannelOptions options;
    options.load_id = {1, 3};
    options.indexes = {number_index()};
    auto writer = make_remote_writer(client, writer_target(served), options);
    std::promise<void> taken;
    OutgoingBatch batch(numbers_batch(10));
    writer->write(0, batch, {{100, 1, {0}}}, [&](const Status&) { taken.set_value(); });
    ASSERT_EQ(taken.get_future().wait_for(kPatience), std::future_status::ready);
    writer->cancel(Status::error(ErrorCode::kCancelled, "test"));
    auto give_up = std::chrono::steady_clock::now() + kPatience;
    while (served.loads.num_channels() > 0 && std::chrono::steady_clock::now() < give_up) {
        std::this_thread::yield();
    }
    EXPECT_EQ(served.loads.num_channels(), 0U);
    EXPECT_EQ(served.engine.committed_rows(100), 0);
}

TEST(DataPlane, AnUnreachableBackEndIsAnErrorAtOnce) {
    DataPlaneClient client(1, kMaxMessage);
    LoadChannelOptions options;
    auto writer = make_remote_writer(client, {"127.0.0.1", 1, 1, 1, 60'000, {}}, options);
    std::promise<LoadCloseResult> closed;
    writer->close({}, [&](const LoadCloseResult& result) { closed.set_value(result); });
    auto future = closed.get_future();
    ASSERT_EQ(future.wait_for(kPatience), std::future_status::ready);
    EXPECT_EQ(future.get().status.code(), ErrorCode::kRpcError);
}

}  // namespace
}  // namespace thetis
