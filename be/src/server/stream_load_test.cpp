// SPDX-License-Identifier: Apache-2.0
#include "load/stream_load.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "FrontendService.h"
#include "base/be_settings.gen.h"
#include "base/debug_points.h"
#include "base/metrics.h"
#include "exec/scan/scan_provider.h"
#include "exec/scan/wire_schema.h"
#include "load/load_channels.h"
#include "load/routed_table_writer.h"
#include "query/testing/query_fixture.h"
#include "server/thrift_server.h"
#include "storage/engine/storage_engine.h"
#include "wire/frontend_client.h"
#include "wire/thrift_codec.h"

namespace thetis {
namespace {

constexpr int64_t kTablet = 500;
constexpr int64_t kTxn = 42;

const DataType kInt = DataType::of(TypeId::kInt);
const DataType kName = DataType::varchar(10);

wire::Expr cast_slot(int position, const DataType& type) {
    wire::Expr expr;
    expr.node.__set_cast(wire::Cast());
    expr.type = testing::wire_type(type);
    expr.__set_children({testing::slot(position, DataType::varchar())});
    return expr;
}

wire::TabletSchemaDesc table_schema() {
    wire::TabletSchemaDesc schema;
    schema.table_id = 1;
    schema.index_id = 1;
    schema.keys_model = wire::KeysModel::DUPLICATE;
    schema.num_short_key_columns = 1;
    for (const auto& [name, type] : {std::pair{"id", kInt}, {"name", kName}}) {
        wire::ColumnDesc column;
        column.unique_id = static_cast<int32_t>(schema.columns.size());
        column.name = name;
        column.type = testing::wire_type(type);
        column.is_key = schema.columns.empty();
        schema.columns.push_back(column);
    }
    return schema;
}

/// Plays the front end: plans a load of (id INT, name VARCHAR(10)) into one tablet, publishes what
/// is committed.
class PlayedFrontEnd final : public wire::FrontendServiceIf {
public:
    explicit PlayedFrontEnd(StorageEngine& engine) : engine_(engine) {}

    void register_backend(wire::RegisterBackendReply& reply, const wire::RegisterBackendRequest&)
        override {
        reply.status.code = 0;
    }

    void report(wire::StatusReply& reply, const wire::ReportRequest&) override { reply.code = 0; }

    void load_begin(wire::LoadBeginReply& reply, const wire::LoadBeginRequest& request) override {
        if (request.auth.user != "root") {
            reply.status.code = static_cast<int32_t>(ErrorCode::kAccessDenied);
            return;
        }
        if (request.label == "used") {
            reply.status.code = static_cast<int32_t>(ErrorCode::kLabelAlreadyExists);
            reply.status.__set_message(
                "Label [used] has already been used, relate to txn [7], status [VISIBLE]."
            );
            reply.__set_existing_job_status("FINISHED");
            return;
        }
        reply.status.code = 0;
        reply.__set_txn_id(kTxn + ++num_begun);
        reply.__set_db_id(3);
        reply.__set_timeout_ms(60'000);
        auto ratio = request.headers.find("max_filter_ratio");
        reply.__set_max_filter_ratio(ratio == request.headers.end() ? 0 : std::stod(ratio->second));
        reply.__set_exec_plan(*encode_compact(plan(request, reply.txn_id)));
    }

    void load_commit(wire::LoadCommitReply& reply, const wire::LoadCommitRequest& request)
        override {
        committed = request;
        int64_t version = ++visible_version;
        for (const auto& tablet : request.tablets) {
            TabletVersion published{tablet.tablet_id, version};
            for (const auto& outcome : engine_.publish_version(request.txn_id, {&published, 1})) {
                EXPECT_TRUE(outcome.status.ok()) << outcome.status.to_string();
            }
        }
        reply.status.code = 0;
        reply.__set_visible(true);
    }

    void load_abort(wire::StatusReply& reply, const wire::LoadAbortRequest&) override {
        ++num_aborted;
        reply.code = 0;
    }

    void load_finish(wire::LoadFinishReply& reply, const wire::LoadFinishRequest& request)
        override {
        reply.status.code =
            request.txn_id == 1 ? 0 : static_cast<int32_t>(ErrorCode::kTransactionNotFound);
        reply.status.__set_message(fmt::format("transaction [{}] not found", request.txn_id));
    }

    std::atomic<int64_t> visible_version{1};
    std::atomic<int> num_begun{0};
    std::atomic<int> num_aborted{0};
    wire::LoadCommitRequest committed;

private:
    static wire::ExecPlan plan(const wire::LoadBeginRequest& request, int64_t txn_id) {
        auto source = testing::node(1, {DataType::varchar(), DataType::varchar()});
        wire::StreamScan scan;
        auto format = request.headers.find("format");
        scan.format = format == request.headers.end() ? "csv" : format->second;
        scan.properties = request.headers;
        scan.source_columns = {"id", "name"};
        source.op.__set_stream_scan(scan);
        auto project = testing::node(2, {kInt, kName}, {source});
        wire::LoadProject load;
        load.expressions = {cast_slot(0, kInt), testing::slot(1, DataType::varchar())};
        load.column_names = {"id", "name"};
        load.__set_source_of({0, 1});
        load.strict_mode = request.headers.contains("strict_mode");
        if (request.headers.contains("where")) {
            load.__set_where(testing::call(
                "gt",
                DataType::of(TypeId::kBoolean),
                {testing::slot(0, kInt), testing::literal(0, kInt)}
            ));
        }
        project.op.__set_load_project(load);
        auto plan = testing::result_plan(txn_id, project);
        wire::TableSink sink;
        sink.txn_id = txn_id;
        sink.table_name = "t";
        sink.schema = table_schema();
        sink.load_id = request.load_id;
        sink.strict_mode = load.strict_mode;
        sink.timeout_ms = 60'000;
        wire::PartitionDesc partition;
        partition.partition_id = 10;
        partition.num_buckets = 1;
        wire::TabletLocation location;
        location.tablet_id = kTablet;
        location.backend_ids = {1};
        partition.tablets = {location};
        sink.partitions.partitions = {partition};
        wire::BackendDesc backend;
        backend.id = 1;
        sink.backends = {backend};
        plan.fragments[0].sink = wire::PlanSink();
        plan.fragments[0].sink.__set_table(sink);
        return plan;
    }

    StorageEngine& engine_;
};

/// Stream loads into real storage through the real pipeline.
class StreamLoadFixture : public ::testing::Test {
protected:
    void SetUp() override {
        directory_ = std::filesystem::temp_directory_path() /
                     fmt::format("thetis_stream_load_test_{}", getpid());
        std::filesystem::remove_all(directory_);
        std::filesystem::create_directories(directory_ / "data");
        StorageOptions options;
        options.background_interval_ms = 0;
        auto opened = StorageEngine::open({{(directory_ / "data").string()}}, options);
        ASSERT_TRUE(opened.ok()) << opened.status().to_string();
        engine_ = opened.take();
        auto schema = schema_from_wire(table_schema());
        ASSERT_TRUE(schema.ok()) << schema.status().to_string();
        ASSERT_TRUE(engine_->create_tablet({kTablet, 10, 1, *schema, 1}).ok());
        loads_ = std::make_unique<LoadChannels>(*engine_, timers_, 2);
        scans_ = std::make_unique<StorageScanProvider>(*engine_);
        writers_ = std::make_unique<RoutedTableWriterFactory>(*loads_, nullptr);
        backend_.services().scans = scans_.get();
        backend_.services().table_writers = writers_.get();
        error_logs_ = std::make_unique<ErrorLogStore>(
            (directory_ / "error_log").string(), "http://h/api/_load_error_log?file="
        );
        ASSERT_TRUE(error_logs_->open().ok());
        front_end_ = std::make_shared<PlayedFrontEnd>(*engine_);
        thrift_ = std::make_unique<ThriftServer>(
            "frontend", std::make_shared<wire::FrontendServiceProcessor>(front_end_)
        );
        ASSERT_TRUE(thrift_->start("127.0.0.1", 0, 16).ok());
        cluster_.set(
            {.cluster_id = 1,
             .token = "t",
             .backend_id = 1,
             .backend_host = "h",
             .master = {"127.0.0.1", thrift_->port()}}
        );
        StreamLoadServices services;
        services.fragments = &backend_.manager();
        services.frontends = &frontends_;
        services.cluster = &cluster_;
        services.error_logs = error_logs_.get();
        services.config = &config_;
        services.metrics = &metrics_;
        services.debug_points = &debug_points_;
        service_ = std::make_unique<StreamLoadService>(services);
    }

    void TearDown() override {
        backend_.manager().shutdown();
        loads_->shutdown();
        thrift_->stop();
        service_.reset();
        loads_.reset();
        engine_->shutdown();
        std::filesystem::remove_all(directory_);
    }

    LoadReply load(
        const std::string& body,
        std::map<std::string, std::string> headers = {},
        int64_t announced_bytes = -2
    ) {
        LoadRequest request;
        request.db = "db";
        request.table = "t";
        request.user = "root";
        request.headers = std::move(headers);
        request.headers.emplace("column_separator", ",");
        request.body_bytes =
            announced_bytes == -2 ? static_cast<int64_t>(body.size()) : announced_bytes;
        bool breaks_off = announced_bytes > static_cast<int64_t>(body.size());
        return service_
            ->run(
                request,
                [&](const std::function<bool(std::string_view)>& piece) {
                    for (size_t at = 0; at < body.size(); at += 4096) {
                        if (!piece(std::string_view(body).substr(at, 4096))) {
                            return false;
                        }
                    }
                    return !breaks_off;
                }
            )
            .reply;
    }

    /// All rows of the table as "id:name".
    std::vector<std::string> rows() {
        auto plan = testing::result_plan(
            1'000'000 + ++num_queries_, testing::scan(1, {kInt, kName}), {{1, {kTablet}}}
        );
        plan.instances[0].scan_ranges[1][0].version = front_end_->visible_version;
        auto outcome = backend_.run(plan);
        EXPECT_TRUE(outcome.status.ok()) << outcome.status.to_string();
        std::vector<std::string> texts;
        for (const auto& row : outcome.rows) {
            texts.push_back(row[0].value_or("~") + ":" + row[1].value_or("~"));
        }
        std::sort(texts.begin(), texts.end());
        return texts;
    }

    std::filesystem::path directory_;
    Config config_{kBackendConfigKeys};
    MetricRegistry metrics_;
    DebugPoints debug_points_{true};
    TimerWheel timers_;
    ClusterState cluster_;
    FrontendClient frontends_;
    std::unique_ptr<StorageEngine> engine_;
    std::unique_ptr<LoadChannels> loads_;
    std::unique_ptr<StorageScanProvider> scans_;
    std::unique_ptr<RoutedTableWriterFactory> writers_;
    testing::Backend backend_;
    std::unique_ptr<ErrorLogStore> error_logs_;
    std::shared_ptr<PlayedFrontEnd> front_end_;
    std::unique_ptr<ThriftServer> thrift_;
    std::unique_ptr<StreamLoadService> service_;
    int64_t num_queries_ = 0;
};

using Texts = std::vector<std::string>;

TEST_F(StreamLoadFixture, LoadsCsvAndJson) {
    auto reply = load("1,a\n2,\\N\n3,three\n");
    EXPECT_EQ(reply.status, "Success") << reply.message;
    EXPECT_EQ(reply.loaded_rows, 3);
    EXPECT_EQ(rows(), (Texts{"1:a", "2:~", "3:three"}));
    auto json = load(
        "{\"id\":4,\"name\":\"j\"}\n{\"name\":\"no id\"}\n",
        {{"format", "json"}, {"read_json_by_line", "true"}}
    );
    EXPECT_EQ(json.status, "Success") << json.message;
    EXPECT_EQ(rows(), (Texts{"1:a", "2:~", "3:three", "4:j", "~:no id"}));
}

TEST_F(StreamLoadFixture, LoadsManyRowsOnce) {
    std::string body;
    for (int i = 0; i < 100'000; ++i) {
        body += fmt::format("{},n{}\n", i, i % 1000);
    }
    auto reply = load(body);
    EXPECT_EQ(reply.status, "Success") << reply.message;
    EXPECT_EQ(reply.loaded_rows, 100'000);
    EXPECT_EQ(reply.load_bytes, static_cast<int64_t>(body.size()));
    EXPECT_EQ(rows().size(), 100'000U);
}

TEST_F(StreamLoadFixture, JudgesBadRows) {
    std::string body = "1,a\nonly one\n2,this name is too long\n3,c\n";
    auto refused = load(body);
    EXPECT_EQ(refused.status, "Fail");
    EXPECT_EQ(refused.message, "[DATA_QUALITY_ERROR]too many filtered rows");
    EXPECT_EQ(refused.filtered_rows, 2);
    EXPECT_TRUE(refused.error_url.starts_with("http://h/api/_load_error_log?file="))
        << refused.error_url;
    EXPECT_EQ(front_end_->num_aborted.load(), 1);
    EXPECT_TRUE(rows().empty());
    auto allowed = load(body, {{"max_filter_ratio", "0.5"}});
    EXPECT_EQ(allowed.status, "Success") << allowed.message;
    EXPECT_EQ(rows(), (Texts{"1:a", "3:c"}));
    EXPECT_EQ(front_end_->committed.filtered_rows, 2);
}

TEST_F(StreamLoadFixture, StrictModeAndWhere) {
    EXPECT_EQ(load("1,a\nx,b\n").status, "Success");
    EXPECT_EQ(rows(), (Texts{"1:a", "~:b"}));
    auto strict = load("2,c\nx,d\n", {{"strict_mode", "true"}});
    EXPECT_EQ(strict.status, "Fail");
    EXPECT_EQ(strict.filtered_rows, 1);
    auto filtered = load("5,e\n-5,f\n", {{"where", "id > 0"}});
    EXPECT_EQ(filtered.status, "Success") << filtered.message;
    EXPECT_EQ(filtered.unselected_rows, 1);
    EXPECT_EQ(rows(), (Texts{"1:a", "5:e", "~:b"}));
}

TEST_F(StreamLoadFixture, ATruncatedBodyLeavesNothing) {
    auto reply = load("1,a\n2,b\n", {}, 1000);
    EXPECT_EQ(reply.status, "Fail");
    EXPECT_NE(reply.message.find("before the body of the load was complete"), std::string::npos)
        << reply.message;
    EXPECT_EQ(front_end_->num_aborted.load(), 1);
    EXPECT_TRUE(rows().empty());
    EXPECT_TRUE(backend_.is_idle_soon());
    for (int wait = 0; wait < 2000 && loads_->num_channels() > 0; ++wait) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(loads_->num_channels(), 0U);
}

TEST_F(StreamLoadFixture, AFaultInTheMiddleLeavesNothing) {
    ASSERT_TRUE(debug_points_.add("StreamLoad.feed_body.fail", {}, 1).ok());
    EXPECT_EQ(load("1,a\n").status, "Fail");
    EXPECT_EQ(load("1,a\n").status, "Success");
    EXPECT_EQ(rows(), (Texts{"1:a"}));
}

TEST_F(StreamLoadFixture, AnswersLabelsUsersAndSecondPhases) {
    auto used = load("1,a\n", {{"label", "used"}});
    EXPECT_EQ(used.status, "Label Already Exists");
    EXPECT_EQ(used.existing_job_status, "FINISHED");
    EXPECT_EQ(used.txn_id, -1);
    EXPECT_NE(
        used.message.find("Label [used] has already been used, relate to txn [7]"),
        std::string::npos
    );
    LoadRequest request;
    request.user = "nobody";
    EXPECT_TRUE(service_->run(request, [](const auto&) { return true; }).is_unauthenticated);
    request.user = "root";
    request.headers = {{"txn_operation", "commit"}, {"txn_id", "1"}};
    bool is_unauthenticated = false;
    EXPECT_NE(
        service_->finish_two_phase(request, is_unauthenticated)
            .find("\"msg\": \"transaction [1] commit successfully.\""),
        std::string::npos
    );
    request.headers["txn_id"] = "2";
    EXPECT_NE(
        service_->finish_two_phase(request, is_unauthenticated).find("transaction [2] not found"),
        std::string::npos
    );
}

TEST_F(StreamLoadFixture, SurvivesAFrontEndThatRestarts) {
    EXPECT_EQ(load("1,a\n").status, "Success");
    int port = thrift_->port();
    thrift_->stop();
    EXPECT_EQ(load("2,b\n").status, "Fail");
    thrift_ = std::make_unique<ThriftServer>(
        "frontend", std::make_shared<wire::FrontendServiceProcessor>(front_end_)
    );
    ASSERT_TRUE(thrift_->start("127.0.0.1", port, 16).ok());
    EXPECT_EQ(load("3,c\n").status, "Success");
    EXPECT_EQ(rows(), (Texts{"1:a", "3:c"}));
}

}  // namespace
}  // namespace thetis
