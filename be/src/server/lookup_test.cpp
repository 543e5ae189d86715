// SPDX-License-Identifier: Apache-2.0
// Key look-ups from request to packets, over a storage engine on disk.
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/logging.h"
#include "base/metrics.h"
#include "column/testing/columns.h"
#include "exec/scan/wire_schema.h"
#include "exec/sink/mysql_rows.h"
#include "exec/testing/plan_literals.h"
#include "functions/registries.h"
#include "gen_thrift/lookup_types.h"
#include "query/lookup/lookup_service.h"
#include "service_lookup.pb.h"
#include "storage/engine/storage_engine.h"
#include "wire/thrift_codec.h"

namespace thetis {
namespace {

constexpr int32_t kSign = 1000;
constexpr int32_t kVersionColumn = 1001;
constexpr int32_t kRowStore = 1002;

const FunctionRegistries& functions() {
    static const FunctionRegistries registries = FunctionRegistries::create();
    return registries;
}

wire::ColumnDesc column_desc(int32_t id, const DataType& type, bool is_key, bool is_hidden) {
    wire::ColumnDesc column;
    column.unique_id = id;
    column.name = fmt::format("c{}", id);
    column.type = testing::wire_type(type);
    if (type.scale > 0) {
        column.type.__set_scale(type.scale);
    }
    column.is_key = is_key;
    column.__set_is_hidden(is_hidden);
    return column;
}

/// The first `num_keys` types are keys; unique ids are positions.
wire::TabletSchemaDesc table_of(
    const std::vector<DataType>& types, size_t num_keys, bool has_row_store
) {
    wire::TabletSchemaDesc schema;
    schema.table_id = 1;
    schema.index_id = 1;
    schema.keys_model = wire::KeysModel::UNIQUE;
    schema.num_short_key_columns = 1;
    schema.__set_merge_on_write(true);
    for (size_t i = 0; i < types.size(); ++i) {
        schema.columns.push_back(column_desc(static_cast<int32_t>(i), types[i], i < num_keys, false)
        );
    }
    const DataType sign = DataType::of(TypeId::kTinyint, false);
    schema.columns.push_back(column_desc(kSign, sign, false, true));
    schema.__set_delete_sign_id(kSign);
    const DataType version = DataType::of(TypeId::kBigint, false);
    schema.columns.push_back(column_desc(kVersionColumn, version, false, true));
    schema.__set_version_id(kVersionColumn);
    if (has_row_store) {
        const DataType rows = DataType::of(TypeId::kString, false);
        schema.columns.push_back(column_desc(kRowStore, rows, false, true));
        schema.__set_row_store_id(kRowStore);
    }
    return schema;
}

/// A value as requests bring it.
std::string packed(const Column& column, uint32_t row) {
    return visit_physical(column.physical(), [&]<typename T>(T) {
        const T value = ColumnView<T>(column)[row];
        if constexpr (std::is_same_v<T, StringRef>) {
            const uint32_t size = value.size();
            return std::string(reinterpret_cast<const char*>(&size), sizeof(size)) +
                   std::string(value.view());
        } else {
            return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
        }
    });
}

std::string packed_int(int64_t value) {
    return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

wire::LookupPlan plan_of(const wire::TabletSchemaDesc& schema, const std::vector<DataType>& types) {
    wire::LookupPlan plan;
    plan.schema = schema;
    for (size_t i = 0; i < types.size(); ++i) {
        plan.column_unique_ids.push_back(static_cast<int32_t>(i));
        plan.outputs.push_back(testing::slot(static_cast<int>(i), types[i]));
        if (types[i].scale > 0) {
            plan.outputs.back().type.__set_scale(types[i].scale);
        }
    }
    plan.options.time_zone = "UTC";
    return plan;
}

struct Answer {
    ErrorCode code{};
    std::string message;
    std::string rows;
    uint32_t num_rows = 0;
    uint32_t cache_hits = 0;
    bool needs_plan = false;
};

class LookupTest : public ::testing::Test {
protected:
    LookupTest() {
        directory_ = (std::filesystem::temp_directory_path() /
                      fmt::format("thetis_lookup_test_{}", getpid()))
                         .string();
        std::filesystem::remove_all(directory_);
        open();
    }

    ~LookupTest() override {
        service_.reset();
        engine_.reset();
        std::filesystem::remove_all(directory_);
    }

    void open(size_t row_cache_bytes = size_t{16} << 20) {
        service_.reset();
        engine_.reset();
        StorageOptions options;
        options.background_interval_ms = 0;
        options.sync_files = options.sync_metadata = false;
        auto engine = StorageEngine::open({{.path = directory_}}, options);
        ASSERT_TRUE(engine.ok()) << engine.status().to_string();
        engine_ = engine.take();
        LookupOptions lookups;
        lookups.row_cache_bytes = row_cache_bytes;
        service_ = std::make_unique<LookupService>(*engine_, functions(), metrics_, lookups);
    }

    void create(int64_t tablet_id, const wire::TabletSchemaDesc& desc) {
        auto schema = schema_from_wire(desc);
        ASSERT_TRUE(schema.ok()) << schema.status().to_string();
        CreateTabletRequest request;
        request.tablet_id = tablet_id;
        request.schema = schema.take();
        const Status status = engine_->create_tablet(request);
        ASSERT_TRUE(status.ok()) << status.to_string();
    }

    /// The sign column is added.
    void load(int64_t tablet_id, int64_t version, Batch batch, bool is_deleted = false) {
        ColumnBuilder signs(DataType::of(TypeId::kTinyint, false));
        for (uint32_t i = 0; i < batch.num_rows; ++i) {
            signs.append<int8_t>(is_deleted ? 1 : 0);
        }
        batch.columns.push_back(signs.finish());
        WriterOptions options{.txn_id = tablet_id * 1000 + version, .load_id = "load"};
        auto writer = engine_->open_writer(tablet_id, options);
        ASSERT_TRUE(writer.ok()) << writer.status().to_string();
        ASSERT_TRUE((*writer)->append(batch).ok());
        ASSERT_TRUE((*writer)->close().ok());
        const TabletVersion published{tablet_id, version};
        const auto outcomes = engine_->publish_version(options.txn_id, {&published, 1});
        ASSERT_TRUE(outcomes[0].status.ok()) << outcomes[0].status.to_string();
    }

    Answer ask(const pb::LookupRequest& request) {
        pb::LookupReply reply;
        Answer answer;
        answer.rows = "before";
        service_->lookup(request, reply, answer.rows);
        EXPECT_TRUE(answer.rows.starts_with("before"));
        answer.rows.erase(0, 6);
        answer.code = static_cast<ErrorCode>(reply.code());
        answer.message = reply.message();
        answer.num_rows = reply.num_rows();
        answer.cache_hits = reply.row_cache_hits();
        answer.needs_plan = reply.needs_plan();
        return answer;
    }

    /// Every plan gets an id of its own.
    pb::LookupRequest request_of(const wire::LookupPlan& plan) {
        pb::LookupRequest request;
        request.set_plan_id_high(7);
        request.set_plan_id_low(++last_plan_);
        request.set_plan(encode_compact(plan).take());
        return request;
    }

    static void want(
        pb::LookupRequest& request,
        int64_t tablet_id,
        int64_t version,
        const std::vector<std::string>& keys
    ) {
        request.clear_tablets();
        auto& tablet = *request.add_tablets();
        tablet.set_tablet_id(static_cast<uint64_t>(tablet_id));
        tablet.set_version(static_cast<uint64_t>(version));
        for (const std::string& key : keys) {
            tablet.add_keys(key);
        }
    }

    std::string directory_;
    MetricRegistry metrics_;
    std::unique_ptr<StorageEngine> engine_;
    std::unique_ptr<LookupService> service_;
    uint64_t last_plan_ = 0;
};

struct TypeCase {
    DataType type;
    std::vector<std::optional<std::string>> texts;  // Keys leave out what is null.
};

std::vector<TypeCase> type_cases(bool is_key) {
    using testing::null;
    const bool nullable = !is_key;
    const auto of = [&](TypeId id) { return DataType::of(id, nullable); };
    std::vector<TypeCase> cases{
        {of(TypeId::kBoolean), {"0", "1", null}},
        {of(TypeId::kTinyint), {"-128", "0", "127", null}},
        {of(TypeId::kSmallint), {"-32768", "-1", "32767", null}},
        {of(TypeId::kInt), {"-2147483648", "7", "2147483647", null}},
        {of(TypeId::kBigint), {"-9223372036854775808", "-5", "0", "9223372036854775807", null}},
        {of(TypeId::kLargeint), {"-170141183460469231731687303715884105728", "12", null}},
        {DataType::decimal(9, 2, nullable), {"-0.05", "1234567.89", null}},
        {DataType::decimal(18, 4, nullable), {"-99999999999999.9999", "0.0001", null}},
        {DataType::decimal(38, 10, nullable), {"-1234567890123456789012345678.0123456789", null}},
        {of(TypeId::kDate), {"0001-01-01", "1969-12-31", "9999-12-31", null}},
        {DataType::datetime(0, nullable), {"1969-12-31 23:59:59", "2024-02-29 00:00:00", null}},
        {DataType::datetime(6, nullable), {"2024-02-29 01:02:03.000004", "1000-01-01 00:00:00"}},
        {DataType::varchar(60, nullable),
         {"", " ", "trailing  ", "trailing", "Grüße, 世界", "a text of more than twelve bytes", null
         }},
        {of(TypeId::kString), {"", "x", std::string(300, 'y'), null}}
    };
    if (!is_key) {
        cases.push_back({of(TypeId::kFloat), {"-1.5", "0.1", null}});
        cases.push_back({of(TypeId::kDouble), {"-1e300", "0.1", null}});
    }
    return cases;
}

TEST_F(LookupTest, EveryTypeIsAKeyAndAValue) {
    const std::vector<TypeCase> values = type_cases(false);
    int64_t tablet_id = 0;
    for (const TypeCase& key : type_cases(true)) {
        for (const bool has_row_store : {false, true}) {
            SCOPED_TRACE(fmt::format("{} row store {}", key.type.to_string(), has_row_store));
            std::vector<DataType> types{key.type};
            std::vector<ColumnPtr> columns;
            std::vector<std::optional<std::string>> texts;
            for (const auto& text : key.texts) {
                if (text.has_value()) {
                    texts.push_back(text);
                }
            }
            columns.push_back(testing::parsed(key.type, texts));
            for (size_t i = 0; i < values.size(); ++i) {
                std::vector<std::optional<std::string>> cells;
                for (size_t row = 0; row < texts.size(); ++row) {
                    cells.push_back(values[i].texts[(row + i) % values[i].texts.size()]);
                }
                types.push_back(values[i].type);
                columns.push_back(testing::parsed(values[i].type, cells));
            }
            const wire::TabletSchemaDesc schema = table_of(types, 1, has_row_store);
            create(++tablet_id, schema);
            const Batch rows = testing::batch(columns);
            load(tablet_id, 2, rows);
            pb::LookupRequest request = request_of(plan_of(schema, types));
            for (const bool is_binary : {false, true, false, true}) {
                request.set_binary_rows(is_binary);
                for (uint32_t row = 0; row < texts.size(); ++row) {
                    want(request, tablet_id, 2, {packed(*columns[0], row)});
                    Batch one = rows;
                    one.selection =
                        std::make_shared<Selection>(Selection{static_cast<uint16_t>(row)});
                    std::string expected;
                    append_mysql_rows(one, is_binary, expected);
                    const Answer answer = ask(request);
                    ASSERT_EQ(answer.code, ErrorCode::kOk) << answer.message;
                    ASSERT_EQ(answer.rows, expected) << *texts[row];
                    ASSERT_EQ(answer.num_rows, 1U);
                }
            }
        }
    }
}

const std::vector<DataType> kPair{DataType::of(TypeId::kBigint, false), DataType::varchar(100)};

Batch pairs(
    const std::vector<int64_t>& keys, const std::vector<std::optional<std::string>>& texts
) {
    ColumnBuilder builder(kPair[0]);
    for (const int64_t key : keys) {
        builder.append<int64_t>(key);
    }
    return testing::batch({builder.finish(), testing::parsed(kPair[1], texts)});
}

/// The text rows of (key, text).
std::string text_rows(
    const std::vector<int64_t>& keys, const std::vector<std::optional<std::string>>& texts
) {
    std::string out;
    append_mysql_rows(pairs(keys, texts), false, out);
    return out;
}

TEST_F(LookupTest, EightKeyColumnsAreFoundOnlyTogether) {
    std::vector<DataType> types;
    std::vector<ColumnPtr> columns;
    for (int i = 0; i < 8; ++i) {
        types.push_back(
            i % 2 == 0 ? DataType::of(TypeId::kInt, false) : DataType::varchar(20, false)
        );
        columns.push_back(testing::parsed(types.back(), {"-1", "2"}));
    }
    const wire::TabletSchemaDesc schema = table_of(types, 8, true);
    create(1, schema);
    load(1, 2, testing::batch(columns));
    pb::LookupRequest request = request_of(plan_of(schema, types));
    std::string first;
    std::string mixed;
    for (size_t i = 0; i < 8; ++i) {
        first += packed(*columns[i], 0);
        mixed += packed(*columns[i], i == 7 ? 1 : 0);
    }
    want(request, 1, 2, {first, mixed});
    const Answer answer = ask(request);
    const Histogram& keys_per_call = metrics_.histogram("lookup_keys_per_call", "");
    EXPECT_EQ(keys_per_call.count(), 1);
    EXPECT_EQ(keys_per_call.sum(), 2);
    EXPECT_EQ(answer.num_rows, 1U);
    std::string expected;
    Batch one = testing::batch(columns);
    one.selection = std::make_shared<Selection>(Selection{0});
    append_mysql_rows(one, false, expected);
    EXPECT_EQ(answer.rows, expected);
}

TEST_F(LookupTest, ReadsExactlyTheAskedVersionWhateverIsCached) {
    for (const bool has_row_store : {false, true}) {
        const int64_t tablet = has_row_store ? 2 : 1;
        const wire::TabletSchemaDesc schema = table_of(kPair, 1, has_row_store);
        create(tablet, schema);
        load(tablet, 2, pairs({1, 2}, {"one", std::nullopt}));
        load(tablet, 3, pairs({1}, {"uno"}));
        load(tablet, 4, pairs({1}, {"uno"}), true);
        load(tablet, 5, pairs({1}, {"again"}));
        pb::LookupRequest request = request_of(plan_of(schema, kPair));
        const auto rows = [&](int64_t version, std::vector<int64_t> keys) {
            std::vector<std::string> bytes;
            for (const int64_t key : keys) {
                bytes.push_back(packed_int(key));
            }
            want(request, tablet, version, bytes);
            const Answer answer = ask(request);
            EXPECT_EQ(answer.code, ErrorCode::kOk) << answer.message;
            return answer.rows;
        };
        for (int round = 0; round < 3; ++round) {
            EXPECT_EQ(rows(5, {1, 2, 3}), text_rows({1, 2}, {"again", std::nullopt}));
            EXPECT_EQ(rows(4, {1}), "");
            EXPECT_EQ(rows(2, {1}), text_rows({1}, {"one"}));
            EXPECT_EQ(rows(3, {2, 1}), text_rows({2, 1}, {std::nullopt, "uno"}));
            EXPECT_EQ(rows(1, {1, 2}), "");
        }
        // What did not change is still known, what did is not.
        load(tablet, 6, pairs({2}, {"zwei"}));
        want(request, tablet, 6, {packed_int(1)});
        EXPECT_EQ(ask(request).cache_hits, 1U);
        want(request, tablet, 6, {packed_int(2)});
        const Answer changed = ask(request);
        EXPECT_EQ(changed.cache_hits, 0U);
        EXPECT_EQ(changed.rows, text_rows({2}, {"zwei"}));
        ASSERT_TRUE(engine_->compact_tablet(tablet, CompactionKind::kFull).take());
        EXPECT_EQ(rows(6, {1, 2}), text_rows({1, 2}, {"again", "zwei"}));
    }
}

// What is cached was verified before the delete, and nothing of the delete is left to be seen.
TEST_F(LookupTest, ADeletedRowStaysDeletedWhenACompactionForgotTheDelete) {
    for (const bool others_are_left : {false, true}) {
        const int64_t tablet = others_are_left ? 2 : 1;
        const wire::TabletSchemaDesc schema = table_of(kPair, 1, true);
        create(tablet, schema);
        load(tablet, 2, pairs({1}, {"one"}));
        pb::LookupRequest request = request_of(plan_of(schema, kPair));
        for (int round = 0; round < 2; ++round) {
            want(request, tablet, 2, {packed_int(1)});
            EXPECT_EQ(ask(request).rows, text_rows({1}, {"one"}));
        }
        if (others_are_left) {
            load(tablet, 3, pairs({0, 1, 2}, {"nil", "uno", "two"}));
            load(tablet, 4, pairs({1}, {"uno"}), true);
        } else {
            load(tablet, 3, pairs({1}, {"one"}), true);
            load(tablet, 4, pairs({1}, {"one"}), true);
        }
        ASSERT_TRUE(engine_->compact_tablet(tablet, CompactionKind::kFull).take());
        want(request, tablet, 4, {packed_int(1)});
        EXPECT_EQ(ask(request).rows, "");
        const Answer again = ask(request);
        EXPECT_EQ(again.rows, "");
        EXPECT_EQ(again.cache_hits, 1U);
    }
}

TEST_F(LookupTest, ATabletOfTheSameIdIsAnother) {
    const wire::TabletSchemaDesc schema = table_of(kPair, 1, true);
    create(1, schema);
    load(1, 2, pairs({1}, {"old"}));
    pb::LookupRequest request = request_of(plan_of(schema, kPair));
    want(request, 1, 2, {packed_int(1)});
    EXPECT_EQ(ask(request).rows, text_rows({1}, {"old"}));
    ASSERT_TRUE(engine_->drop_tablet(1).ok());
    EXPECT_EQ(ask(request).code, ErrorCode::kTabletNotFound);
    create(1, schema);
    load(1, 2, pairs({1}, {"new"}));
    EXPECT_EQ(ask(request).rows, text_rows({1}, {"new"}));
}

TEST_F(LookupTest, ExpressionsConditionsAndParametersAreEvaluated) {
    const wire::TabletSchemaDesc schema = table_of(kPair, 1, true);
    create(1, schema);
    load(1, 2, pairs({1, 2, 3}, {"one", "two", std::nullopt}));
    wire::LookupPlan plan = plan_of(schema, kPair);
    plan.parameter_types = {testing::wire_type(DataType::of(TypeId::kBigint))};
    const DataType number = DataType::of(TypeId::kBigint);
    plan.outputs = {
        testing::call("add", number, {testing::slot(0, kPair[0]), testing::slot(2, number)}),
        testing::slot(1, kPair[1])
    };
    plan.__set_conjuncts({testing::call(
        "lt", testing::boolean(), {testing::slot(0, kPair[0]), testing::slot(2, number)}
    )});
    pb::LookupRequest request = request_of(plan);
    request.set_parameters(std::string(1, '\0') + packed_int(3));
    want(request, 1, 2, {packed_int(1), packed_int(2), packed_int(3), packed_int(4)});
    Answer answer = ask(request);
    ASSERT_EQ(answer.code, ErrorCode::kOk) << answer.message;
    EXPECT_EQ(answer.rows, text_rows({4, 5}, {"one", "two"}));
    EXPECT_EQ(answer.num_rows, 2U);
    request.set_parameters(std::string(1, '\1'));  // Nothing is below NULL.
    EXPECT_EQ(ask(request).rows, "");
    for (const std::string& bytes : {std::string(), std::string("\0ab", 3), std::string(2, '\1')}) {
        request.set_parameters(bytes);
        answer = ask(request);
        EXPECT_EQ(answer.code, ErrorCode::kInvalidArgument);
        EXPECT_NE(answer.message.find("parameter"), std::string::npos) << answer.message;
    }
}

TEST_F(LookupTest, PlansAreAskedForOnce) {
    const wire::TabletSchemaDesc schema = table_of(kPair, 1, true);
    create(1, schema);
    load(1, 2, pairs({1}, {"one"}));
    pb::LookupRequest request = request_of(plan_of(schema, kPair));
    want(request, 1, 2, {packed_int(1)});
    const std::string bytes = request.plan();
    request.clear_plan();
    EXPECT_TRUE(ask(request).needs_plan);
    request.set_plan(bytes);
    EXPECT_EQ(ask(request).num_rows, 1U);
    request.clear_plan();
    const Answer answer = ask(request);
    EXPECT_FALSE(answer.needs_plan);
    EXPECT_EQ(answer.rows, text_rows({1}, {"one"}));
    const std::string page = metrics_.prometheus_text("t_");
    EXPECT_NE(page.find("lookup_plan_hits_total 1"), std::string::npos) << page;
    EXPECT_NE(page.find("lookup_row_cache_hits_total 1"), std::string::npos) << page;
}

TEST_F(LookupTest, BadRequestsGetOneClearError) {
    const wire::TabletSchemaDesc schema = table_of(kPair, 1, true);
    create(1, schema);
    load(1, 2, pairs({1}, {"one"}));
    const wire::LookupPlan plan = plan_of(schema, kPair);
    pb::LookupRequest request = request_of(plan);
    want(request, 1, 2, {packed_int(1), "short"});
    EXPECT_EQ(ask(request).code, ErrorCode::kInvalidArgument);
    want(request, 1, 2, {packed_int(1) + "x"});
    EXPECT_EQ(ask(request).code, ErrorCode::kInvalidArgument);
    want(request, 1, 3, {packed_int(1)});
    EXPECT_EQ(ask(request).code, ErrorCode::kMissingVersion);
    want(request, 99, 2, {packed_int(1)});
    EXPECT_EQ(ask(request).code, ErrorCode::kTabletNotFound);

    const auto refused = [&](const std::function<void(wire::LookupPlan&)>& change) {
        wire::LookupPlan bad = plan;
        change(bad);
        pb::LookupRequest bad_request = request_of(bad);
        want(bad_request, 1, 2, {packed_int(1)});
        const Answer answer = ask(bad_request);
        EXPECT_NE(answer.code, ErrorCode::kOk);
        EXPECT_FALSE(answer.message.empty());
        EXPECT_EQ(answer.rows, "");
    };
    refused([](wire::LookupPlan& bad) { bad.outputs.clear(); });
    refused([](wire::LookupPlan& bad) { bad.outputs[0] = testing::slot(9); });
    refused([](wire::LookupPlan& bad) { bad.outputs[1] = testing::slot(1, testing::bigint()); });
    refused([](wire::LookupPlan& bad) { bad.outputs[0] = testing::slot(-1); });
    refused([](wire::LookupPlan& bad) { bad.column_unique_ids = {0, 77}; });
    refused([](wire::LookupPlan& bad) { bad.column_unique_ids = {0, 0}; });
    refused([](wire::LookupPlan& bad) { bad.schema.merge_on_write = false; });
    refused([](wire::LookupPlan& bad) { bad.schema.columns.clear(); });
    request = request_of(plan);
    request.set_plan("no plan");
    EXPECT_EQ(ask(request).code, ErrorCode::kInvalidArgument);
}

TEST_F(LookupTest, NoBytesOfAPlanOrAKeyCrash) {
    const wire::TabletSchemaDesc schema = table_of(kPair, 1, true);
    create(1, schema);
    load(1, 2, pairs({1}, {"one"}));
    const std::string plan = encode_compact(plan_of(schema, kPair)).take();
    std::mt19937 random(11);
    for (int i = 0; i < 3000; ++i) {
        pb::LookupRequest request;
        request.set_plan_id_low(1'000'000 + static_cast<uint64_t>(i));
        std::string bytes = plan;
        for (uint32_t changes = random() % 4; changes > 0; --changes) {
            bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        request.set_plan(bytes.substr(0, random() % 5 == 0 ? random() % bytes.size() : bytes.size())
        );
        request.set_binary_rows(random() % 2 == 0);
        std::string key = packed_int(1);
        if (random() % 2 == 0) {
            key = std::string(random() % 20, static_cast<char>(random()));
        }
        want(request, 1, 2, {key});
        const Answer answer = ask(request);
        EXPECT_TRUE(answer.code == ErrorCode::kOk || !answer.message.empty());
    }
}

TEST_F(LookupTest, ABadPageIsAnErrorAndNoRow) {
    for (const bool has_row_store : {false, true}) {
        const int64_t tablet = has_row_store ? 2 : 1;
        const wire::TabletSchemaDesc schema = table_of(kPair, 1, has_row_store);
        create(tablet, schema);
        std::vector<int64_t> keys;
        std::vector<std::optional<std::string>> texts;
        for (int64_t key = 0; key < 3000; ++key) {
            keys.push_back(key);
            texts.emplace_back(fmt::format("text {}", key * 7919 % 3001));
        }
        load(tablet, 2, pairs(keys, texts));
    }
    service_.reset();
    engine_.reset();
    int num_files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_)) {
        if (entry.path().extension() == ".dat") {
            std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
            const auto size = static_cast<int64_t>(entry.file_size());
            for (int64_t at = 40; at < size / 3; at += 50) {
                file.seekp(at);
                file.put('\x5A');
            }
            ++num_files;
        }
    }
    ASSERT_EQ(num_files, 2);
    open();
    for (const bool has_row_store : {false, true}) {
        const wire::TabletSchemaDesc schema = table_of(kPair, 1, has_row_store);
        pb::LookupRequest request = request_of(plan_of(schema, kPair));
        want(request, has_row_store ? 2 : 1, 2, {packed_int(5)});
        for (int i = 0; i < 2; ++i) {
            const Answer answer = ask(request);
            EXPECT_EQ(answer.code, ErrorCode::kCorruption) << answer.message;
            EXPECT_EQ(answer.rows, "");
        }
    }
    // The log is not filled by everybody who asks for a bad page.
    open();
    LogOptions log;
    log.directory = directory_;
    log.file_name = "lookups.log";
    ASSERT_TRUE(start_logging(log).ok());
    const wire::TabletSchemaDesc schema = table_of(kPair, 1, true);
    pb::LookupRequest request = request_of(plan_of(schema, kPair));
    want(request, 2, 2, {packed_int(5)});
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(ask(request).code, ErrorCode::kCorruption);
    }
    stop_logging();
    std::ifstream written(std::filesystem::path(directory_) / log.file_name);
    int num_warnings = 0;
    for (std::string line; std::getline(written, line);) {
        num_warnings += line.find("key look-up failed") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(num_warnings, 1);
}

TEST_F(LookupTest, ReadersBesidePublishesAndCompactionsSeeTheirVersion) {
    constexpr int64_t kKeys = 20;
    constexpr int64_t kLast = 120;
    const wire::TabletSchemaDesc schema = table_of(kPair, 1, true);
    create(1, schema);
    pb::LookupRequest plan_request = request_of(plan_of(schema, kPair));
    std::atomic<int64_t> visible{1};
    std::atomic<int64_t> checked{0};
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i) {
        readers.emplace_back([&, i] {
            std::mt19937 random(static_cast<uint32_t>(i));
            pb::LookupRequest request = plan_request;
            while (visible.load() < kLast) {
                const int64_t version = visible.load();
                const auto key = static_cast<int64_t>(random() % kKeys);
                want(request, 1, version, {packed_int(key)});
                pb::LookupReply reply;
                std::string rows;
                service_->lookup(request, reply, rows);
                ASSERT_EQ(reply.code(), 0) << reply.message();
                // Key k is written by versions v with v % kKeys == k.
                const int64_t written = version - ((version - key) % kKeys + kKeys) % kKeys;
                const std::string expected =
                    written < 2 ? "" : text_rows({key}, {fmt::format("of {}", written)});
                ASSERT_EQ(rows, expected) << "version " << version;
                checked.fetch_add(1);
            }
        });
    }
    for (int64_t version = 2; version <= kLast; ++version) {
        load(1, version, pairs({version % kKeys}, {fmt::format("of {}", version)}));
        visible.store(version);
        if (version % 10 == 0) {
            ASSERT_TRUE(engine_->compact_tablet(1, CompactionKind::kFull).ok());
        }
    }
    for (std::thread& reader : readers) {
        reader.join();
    }
    EXPECT_GT(checked.load(), 0);
}

}  // namespace
}  // namespace thetis
