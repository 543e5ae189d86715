// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gtest/gtest.h>

#include "agent/heartbeat_handler.h"
#include "agent/network_address.h"
#include "base/be_settings.gen.h"
#include "base/debug_points.h"
#include "base/memory/tracker.h"
#include "base/metrics.h"
#include "heartbeat_service_types.h"
#include "load/error_log.h"
#include "load/load_channels.h"
#include "load/stream_load.h"
#include "load/testing/fake_storage_engine.h"
#include "query/testing/query_fixture.h"
#include "server/http_library.h"
#include "server/http_router.h"
#include "server/http_server.h"
#include "server/http_services.h"
#include "server/memory_size.h"
#include "server/register_endpoints.gen.h"
#include "wire/frontend_client.h"

namespace thetis {
namespace {

/// The HTTP side of a back end over an engine in memory.
class HttpFixture : public ::testing::Test {
protected:
    void SetUp() override {
        directory_ =
            std::filesystem::temp_directory_path() / fmt::format("thetis_http_test_{}", getpid());
        error_logs_ = std::make_unique<ErrorLogStore>(
            (directory_ / "error_log").string(), "http://x/api/_load_error_log?file="
        );
        ASSERT_TRUE(error_logs_->open().ok());
        StreamLoadServices load_services;
        load_services.fragments = &backend_.manager();
        load_services.frontends = &frontends_;
        load_services.cluster = &cluster_;
        load_services.error_logs = error_logs_.get();
        load_services.config = &config_;
        load_services.metrics = &metrics_;
        stream_loads_ = std::make_unique<StreamLoadService>(load_services);
        services_.config = &config_;
        services_.custom_config_path = (directory_ / "be_custom.conf").string();
        services_.debug_points = &debug_points_;
        services_.metrics = &metrics_;
        services_.storage = &engine_;
        services_.fragments = &backend_.manager();
        services_.loads = &loads_;
        services_.error_logs = error_logs_.get();
        services_.stream_loads = stream_loads_.get();
        services_.process_memory = memory_.get();
        services_.cluster = &cluster_;
        services_.version = "test";
        register_all_endpoints(router_);
        ASSERT_TRUE(server_.start("127.0.0.1", 0).ok());
        client_ = std::make_unique<httplib::Client>("127.0.0.1", server_.port());
        client_->set_read_timeout(20);
    }

    void TearDown() override {
        server_.stop();
        std::filesystem::remove_all(directory_);
    }

    std::string get(const std::string& path, int status = 200) {
        auto reply = client_->Get(path);
        EXPECT_TRUE(reply) << path;
        EXPECT_EQ(reply ? reply->status : 0, status) << path;
        return reply ? reply->body : "";
    }

    std::string post(const std::string& path) {
        auto reply = client_->Post(path);
        EXPECT_TRUE(reply && reply->status == 200) << path;
        return reply ? reply->body : "";
    }

    std::filesystem::path directory_;
    Config config_{kBackendConfigKeys};
    MetricRegistry metrics_;
    DebugPoints debug_points_{true};
    FakeStorageEngine engine_;
    TimerWheel timers_;
    LoadChannels loads_{engine_, timers_, 1};
    testing::Backend backend_;
    ClusterState cluster_;
    FrontendClient frontends_;
    std::shared_ptr<MemoryTracker> memory_ = MemoryTracker::create("process", 1000);
    std::unique_ptr<ErrorLogStore> error_logs_;
    std::unique_ptr<StreamLoadService> stream_loads_;
    HttpServices services_;
    HttpRouter router_{services_};
    HttpServer server_{router_};
    std::unique_ptr<httplib::Client> client_;
};

TEST_F(HttpFixture, ServesHealthMetricsAndConfiguration) {
    EXPECT_EQ(get("/api/health"), "{\"status\": \"OK\",\"msg\": \"To Be Added\"}");
    EXPECT_NE(get("/metrics").find("doris_be_streaming_load_requests_total"), std::string::npos);
    EXPECT_NE(
        get("/api/show_config?conf_item=webserver_port")
            .find("[\"webserver_port\",\"int32_t\",\"8040\",\"false\"]"),
        std::string::npos
    );
    EXPECT_NE(
        post("/api/update_config?write_buffer_size=1048576&persist=true").find("\"status\":\"OK\""),
        std::string::npos
    );
    EXPECT_TRUE(std::filesystem::exists(services_.custom_config_path));
    EXPECT_NE(post("/api/update_config?be_port=1").find("\"status\":\"BAD\""), std::string::npos);
    EXPECT_NE(get("/mem_tracker").find("process"), std::string::npos);
    ASSERT_TRUE(engine_.create_tablet({.tablet_id = 77}).ok());
    EXPECT_NE(get("/tablets_json").find("\"tablet_id\":77"), std::string::npos);
    EXPECT_NE(get("/api/be_version_info").find("\"msg\":\"success\""), std::string::npos);
}

TEST_F(HttpFixture, NamesWhatIsNotThere) {
    EXPECT_NE(get("/api/no/such/thing", 404).find("/api/no/such/thing"), std::string::npos);
    EXPECT_NE(get("/api/update_config", 405).find("POST"), std::string::npos);
    get("/api/_load_error_log?file=../../etc/passwd", 404);
    get("/" + std::string(6000, 'a'), 404);
}

TEST_F(HttpFixture, SwitchesDebugPoints) {
    EXPECT_NE(
        post("/api/debug_point/add/Some.point?execute=1&wait=5").find("OK"), std::string::npos
    );
    auto parameters = debug_points_.find("Some.point");
    ASSERT_TRUE(parameters.has_value());
    EXPECT_EQ((*parameters)["wait"], "5");
    EXPECT_FALSE(debug_points_.hit("Some.point")) << "it was to strike once";
    EXPECT_NE(post("/api/debug_point/add/Some.point?execute=x").find("FAILED"), std::string::npos);
    post("/api/debug_point/add/Other.point");
    post("/api/debug_point/clear");
    EXPECT_FALSE(debug_points_.hit("Other.point"));
}

TEST_F(HttpFixture, RefusesLoadsWithoutCredentials) {
    std::string body(100'000, 'x');
    auto refused = client_->Put("/api/db/t/_stream_load", body, "text/plain");
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->status, 401);
    httplib::Headers expecting{{"Expect", "100-continue"}};
    auto early = client_->Put("/api/db/t/_stream_load", expecting, body, "text/plain");
    ASSERT_TRUE(early);
    EXPECT_EQ(early->status, 401);
    httplib::Headers nonsense{{"Authorization", "Basic !"}};
    auto bad = client_->Put("/api/db/t/_stream_load", nonsense, body, "text/plain");
    ASSERT_TRUE(bad);
    EXPECT_EQ(bad->status, 401);
}

TEST_F(HttpFixture, AnswersLoadsItCannotRunInTheReplyOfALoad) {
    httplib::Headers headers{{"Authorization", "Basic cm9vdDo="}, {"label", "l1"}};
    auto reply = client_->Put("/api/db/t/_stream_load", headers, "1,2\n", "text/plain");
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 200);
    EXPECT_NE(reply->body.find("\"Status\": \"Fail\""), std::string::npos);
    EXPECT_NE(reply->body.find("\"Label\": \"l1\""), std::string::npos);
    EXPECT_NE(reply->body.find("has not joined a cluster"), std::string::npos);
    headers.emplace("format", "xml");
    auto wrong = client_->Put("/api/db/t/_stream_load", headers, "1,2\n", "text/plain");
    ASSERT_TRUE(wrong);
    EXPECT_NE(wrong->body.find("unknown load format 'xml'"), std::string::npos);
    auto second_phase = client_->Put(
        "/api/db/_stream_load_2pc",
        {{"Authorization", "Basic cm9vdDo="}, {"txn_operation", "maybe"}},
        "",
        "text/plain"
    );
    ASSERT_TRUE(second_phase);
    EXPECT_NE(second_phase->body.find("txn_operation must be commit or abort"), std::string::npos);
}

TEST_F(HttpFixture, SlowClientsDoNotStarveHealthChecks) {
    std::vector<std::unique_ptr<httplib::Client>> slow;
    std::vector<std::thread> threads;
    std::atomic<bool> release{false};
    for (int i = 0; i < 20; ++i) {
        threads.emplace_back([&] {
            httplib::Client client("127.0.0.1", server_.port());
            client.Put(
                "/api/db/t/_stream_load",
                {{"Authorization", "Basic cm9vdDo="}},
                [&](size_t, httplib::DataSink& sink) {
                    if (release.load()) {
                        sink.done();
                        return true;
                    }
                    std::this_thread::yield();
                    return true;
                },
                "text/plain"
            );
        });
    }
    for (int i = 0; i < 10; ++i) {
        EXPECT_NE(get("/api/health").find("OK"), std::string::npos);
    }
    release = true;
    for (auto& thread : threads) {
        thread.join();
    }
}

TEST(MemorySize, ParsesSharesAndUnits) {
    EXPECT_EQ(*parse_memory_size("90%", 1000), 900);
    EXPECT_EQ(*parse_memory_size("2G", 1), int64_t{2} << 30);
    EXPECT_EQ(*parse_memory_size("512mb", 1), int64_t{512} << 20);
    EXPECT_EQ(*parse_memory_size("4096", 1), 4096);
    for (const char* bad : {"", "x", "-1", "0", "5Q", "1GBB"}) {
        EXPECT_FALSE(parse_memory_size(bad, 1).ok()) << bad;
    }
}

TEST(Addresses, AreParsedAndChosen) {
    auto addresses = parse_addresses("a:1, b", 9020);
    ASSERT_TRUE(addresses.ok());
    EXPECT_EQ((*addresses)[0].to_string(), "a:1");
    EXPECT_EQ((*addresses)[1].to_string(), "b:9020");
    EXPECT_FALSE(parse_addresses("a:x", 1).ok());
    EXPECT_FALSE(parse_addresses(":1", 1).ok());
    EXPECT_EQ(choose_own_address("127.0.0.0/8", {"127.0.0.1", 1}), "127.0.0.1");
    EXPECT_EQ(choose_own_address("", {"127.0.0.1", 9}), "127.0.0.1");
}

TEST(Heartbeat, TheFirstFixesTheCluster) {
    auto directory =
        std::filesystem::temp_directory_path() / fmt::format("thetis_heartbeat_test_{}", getpid());
    std::filesystem::create_directories(directory);
    ClusterState cluster;
    std::vector<int64_t> epochs;
    auto beat = [&](HeartbeatHandler& handler, int32_t id, const std::string& token, int64_t epoch
                ) {
        wire::HeartbeatRequest request;
        request.cluster_id = id;
        request.token = token;
        request.master.host = "fe";
        request.master.port = 9020;
        request.master_epoch = epoch;
        request.backend_id = 10001;
        wire::HeartbeatReply reply;
        handler.heartbeat(request, reply);
        return reply;
    };
    auto listener = [&](const ServiceAddress&, int64_t epoch) { epochs.push_back(epoch); };
    HeartbeatHandler handler(
        {.be_port = 1, .http_port = 2, .brpc_port = 3, .version = "v"},
        directory.string(),
        cluster,
        listener
    );
    ASSERT_TRUE(handler.open().ok());
    EXPECT_FALSE(cluster.membership().has_value());
    auto reply = beat(handler, 5, "secret", 100);
    EXPECT_EQ(reply.status.code, 0);
    EXPECT_EQ(reply.brpc_port, 3);
    EXPECT_EQ(
        beat(handler, 6, "secret", 100).status.code,
        static_cast<int32_t>(ErrorCode::kInvalidArgument)
    );
    EXPECT_EQ(
        beat(handler, 5, "other", 100).status.code, static_cast<int32_t>(ErrorCode::kAccessDenied)
    );
    EXPECT_EQ(beat(handler, 5, "secret", 100).status.code, 0);
    EXPECT_EQ(beat(handler, 5, "secret", 200).status.code, 0);
    EXPECT_EQ(epochs, (std::vector<int64_t>{100, 200}));

    ClusterState after_restart;
    HeartbeatHandler restarted({}, directory.string(), after_restart, listener);
    ASSERT_TRUE(restarted.open().ok());
    EXPECT_NE(beat(restarted, 6, "secret", 1).status.code, 0);
    EXPECT_EQ(beat(restarted, 5, "secret", 1).status.code, 0);
    std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace thetis
