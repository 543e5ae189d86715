// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <random>

#include "query/testing/loopback_transport.h"
#include "query/testing/query_fixture.h"

namespace thetis::testing {

namespace {

const std::vector<DataType> kTwo{bigint(), bigint()};

wire::BackendDesc backend_desc(int64_t id) {
    wire::BackendDesc desc;
    desc.id = id;
    desc.host = "be" + std::to_string(id);
    desc.brpc_port = 8060;
    return desc;
}

wire::PlanNode exchange_source(int id, int exchange, const std::vector<DataType>& types) {
    auto result = node(id, types);
    wire::ExchangeSource op;
    op.exchange_id = exchange;
    result.op.__set_exchange_source(op);
    return result;
}

wire::PlanSink exchange_sink(
    int exchange,
    int fragment,
    wire::ExchangeKind::type kind,
    const std::vector<int64_t>& backends,
    std::vector<wire::Expr> keys = {}
) {
    wire::ExchangeSink sink;
    sink.exchange_id = exchange;
    sink.destination_fragment = fragment;
    sink.kind = kind;
    sink.__set_keys(std::move(keys));
    for (int64_t backend : backends) {
        wire::ExchangeDestination destination;
        destination.backend = backend_desc(backend);
        sink.destinations.push_back(destination);
    }
    wire::PlanSink result;
    result.__set_exchange(sink);
    return result;
}

/// Two back ends in one process.
struct Cluster {
    explicit Cluster(FragmentManagerOptions options = {})
        : first(2, options, &transport), second(2, options, &transport) {
        transport.add_backend(1, first.manager());
        transport.add_backend(2, second.manager());
        first.services().exchange_buffer_bytes = 64 * 1024;
        second.services().exchange_buffer_bytes = 64 * 1024;
    }

    ~Cluster() { transport.stop(); }

    LoopbackTransport transport;
    Backend first;
    Backend second;
};

/// SELECT c0, sum(c1) GROUP BY c0 ORDER BY c0 over tablets 1 (back end 1) and 2 (back end 2):
/// partial, hash exchange, final, sort, merging gather to back end 1.
std::pair<wire::ExecPlan, wire::ExecPlan> distributed_group_by(int64_t query) {
    auto sum = aggregate_call("sum", {slot(1)}, {bigint()}, bigint(), bigint());
    wire::FragmentPlan scans;
    scans.id = 2;
    scans.root = aggregate(2, wire::AggregatePhase::PARTIAL, kTwo, scan(1, kTwo), {slot(0)}, {sum});
    scans.sink = exchange_sink(20, 1, wire::ExchangeKind::HASH, {1, 2}, {slot(0)});
    wire::FragmentPlan finals;
    finals.id = 1;
    finals.root = sort(
        5,
        kTwo,
        aggregate(
            4, wire::AggregatePhase::FINAL, kTwo, exchange_source(3, 20, kTwo), {slot(0)}, {sum}
        ),
        {sort_key(slot(0))}
    );
    finals.sink = exchange_sink(10, 0, wire::ExchangeKind::GATHER, {1});

    auto merged = exchange_source(6, 10, kTwo);
    merged.op.exchange_source.__set_merge_keys({sort_key(slot(0))});
    auto first = result_plan(query, merged);
    first.instances[0].num_senders[10] = 2;
    auto second = first;
    second.fragments.clear();
    second.instances.clear();
    second.backend_id = 2;
    for (int side = 0; side < 2; ++side) {
        auto& plan = side == 0 ? first : second;
        plan.fragments.push_back(finals);
        plan.fragments.push_back(scans);
        wire::FragmentInstance final_instance;
        final_instance.fragment_id = 1;
        final_instance.num_senders[20] = 2;
        final_instance.sender_id = side;
        wire::FragmentInstance scan_instance;
        scan_instance.fragment_id = 2;
        scan_instance.sender_id = side;
        wire::TabletScanRange range;
        range.tablet_id = side + 1;
        range.version = 2;
        scan_instance.scan_ranges[1].push_back(range);
        plan.instances.push_back(final_instance);
        plan.instances.push_back(scan_instance);
    }
    return {first, second};
}

}  // namespace

TEST(Exchange, DistributedGroupByAndMerge) {
    Cluster cluster;
    std::mt19937_64 random(41);
    std::map<std::optional<int64_t>, int64_t> expected;
    for (int tablet : {1, 2}) {
        std::vector<Row> rows;
        for (int i = 0; i < 40'000; ++i) {
            Row row{
                std::optional<int64_t>(static_cast<int64_t>(random() % 20'000)),
                std::optional<int64_t>(static_cast<int64_t>(random() % 100))
            };
            if (random() % 50 == 0) {
                row[0].reset();
            }
            expected[row[0]] += *row[1];
            rows.push_back(row);
        }
        (tablet == 1 ? cluster.first : cluster.second).scans().add_rows(tablet, rows, 2);
    }
    auto [first, second] = distributed_group_by(1);
    ASSERT_TRUE(cluster.first.manager().prepare(first, false).ok());
    ASSERT_TRUE(cluster.second.manager().prepare(second, false).ok());
    EXPECT_EQ(cluster.first.manager().metrics().num_receivers, 2);
    ASSERT_TRUE(cluster.second.manager().start({7, 1}).ok());
    ASSERT_TRUE(cluster.first.manager().start({7, 1}).ok());
    auto outcome = cluster.first.fetch({7, 1});
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
    ASSERT_EQ(outcome.rows.size(), expected.size());
    size_t i = 0;
    for (const auto& [key, sum] : expected) {
        TextRow row{
            key.has_value() ? std::optional(std::to_string(*key)) : std::nullopt,
            std::to_string(sum)
        };
        EXPECT_EQ(outcome.rows[i++], row);
    }
    // How it ended on the back end that sends no rows.
    outcome = cluster.second.fetch({7, 1});
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.to_string();
    EXPECT_TRUE(outcome.rows.empty());
    EXPECT_TRUE(cluster.first.is_idle_soon());
    EXPECT_TRUE(cluster.second.is_idle_soon());
}

TEST(Exchange, BroadcastToEveryReceiver) {
    Cluster cluster;
    // Each back end counts what it receives and sends the count to back end 1.
    auto count = aggregate_call(
        "count", {}, {}, DataType::of(TypeId::kBigint, false), DataType::of(TypeId::kBigint, false)
    );
    const std::vector<DataType> one{DataType::of(TypeId::kBigint, false)};
    auto first = result_plan(1, exchange_source(6, 10, one));
    first.instances[0].num_senders[10] = 2;
    auto second = first;
    second.backend_id = 2;
    second.fragments.clear();
    second.instances.clear();
    for (int side = 0; side < 2; ++side) {
        auto& plan = side == 0 ? first : second;
        wire::FragmentPlan counting;
        counting.id = 1;
        counting.root = aggregate(
            4, wire::AggregatePhase::SINGLE, one, exchange_source(3, 20, one), {}, {count}
        );
        counting.sink = exchange_sink(10, 0, wire::ExchangeKind::GATHER, {1});
        wire::FragmentInstance instance;
        instance.fragment_id = 1;
        instance.num_senders[20] = 1;
        instance.sender_id = side;
        plan.fragments.push_back(counting);
        plan.instances.push_back(instance);
    }
    wire::FragmentPlan sending;
    sending.id = 2;
    sending.root = numbers(1, 300'000);
    sending.sink = exchange_sink(20, 1, wire::ExchangeKind::BROADCAST, {1, 2});
    wire::FragmentInstance instance;
    instance.fragment_id = 2;
    instance.sender_id = 0;
    second.fragments.push_back(sending);
    second.instances.push_back(instance);

    ASSERT_TRUE(cluster.first.manager().prepare(first, false).ok());
    ASSERT_TRUE(cluster.second.manager().prepare(second, false).ok());
    ASSERT_TRUE(cluster.first.manager().start({7, 1}).ok());
    ASSERT_TRUE(cluster.second.manager().start({7, 1}).ok());
    auto outcome = cluster.first.fetch({7, 1});
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
    EXPECT_EQ(outcome.rows, (std::vector<TextRow>{{"300000"}, {"300000"}}));
}

TEST(Exchange, LimitStopsTheSender) {
    Cluster cluster;
    const std::vector<DataType> one{DataType::of(TypeId::kBigint, false)};
    auto first = result_plan(1, limit(7, one, exchange_source(6, 10, one), 3));
    first.instances[0].num_senders[10] = 1;
    auto second = result_plan(1, numbers(1, int64_t{1} << 50));
    second.backend_id = 2;
    second.fragments[0].id = 1;
    second.fragments[0].sink = exchange_sink(10, 0, wire::ExchangeKind::GATHER, {1});
    second.instances[0].fragment_id = 1;
    ASSERT_TRUE(cluster.first.manager().prepare(first, false).ok());
    ASSERT_TRUE(cluster.second.manager().prepare(second, true).ok());
    ASSERT_TRUE(cluster.first.manager().start({7, 1}).ok());
    auto outcome = cluster.first.fetch({7, 1});
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
    EXPECT_EQ(outcome.rows.size(), 3U);
    EXPECT_TRUE(cluster.second.fetch({7, 1}).status.ok());
    EXPECT_TRUE(cluster.second.is_idle_soon());
}

TEST(Exchange, SenderFailureReachesTheResult) {
    Cluster cluster;
    auto first = result_plan(1, exchange_source(6, 10, kTwo));
    first.instances[0].num_senders[10] = 1;
    auto second = result_plan(1, scan(1, kTwo), {{1, {404}}});
    second.backend_id = 2;
    second.fragments[0].id = 1;
    second.fragments[0].sink = exchange_sink(10, 0, wire::ExchangeKind::GATHER, {1});
    second.instances[0].fragment_id = 1;
    ASSERT_TRUE(cluster.first.manager().prepare(first, true).ok());
    ASSERT_TRUE(cluster.second.manager().prepare(second, true).ok());
    auto outcome = cluster.first.fetch({7, 1});
    EXPECT_EQ(outcome.status.code(), ErrorCode::kTabletNotFound) << outcome.status.to_string();
    EXPECT_TRUE(cluster.first.is_idle_soon());
    EXPECT_TRUE(cluster.second.is_idle_soon());
}

TEST(Exchange, CancelAtRandomMoments) {
    Cluster cluster;
    std::mt19937_64 random(43);
    for (int tablet : {1, 2}) {
        std::vector<Row> rows;
        for (int i = 0; i < 20'000; ++i) {
            rows.push_back(
                {static_cast<int64_t>(random() % 5000), static_cast<int64_t>(random() % 100)}
            );
        }
        (tablet == 1 ? cluster.first : cluster.second).scans().add_rows(tablet, rows, 2);
    }
    for (int64_t query = 1; query <= 150; ++query) {
        auto [first, second] = distributed_group_by(query);
        ASSERT_TRUE(cluster.first.manager().prepare(first, false).ok());
        ASSERT_TRUE(cluster.second.manager().prepare(second, false).ok());
        QueryId id{7, query};
        uint64_t moment = random() % 4000;
        bool started = moment > 400;
        if (started) {
            ASSERT_TRUE(cluster.second.manager().start(id).ok());
            ASSERT_TRUE(cluster.first.manager().start(id).ok());
        }
        auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(moment);
        while (std::chrono::steady_clock::now() < until) {
            std::this_thread::yield();
        }
        Status reason(ErrorCode::kCancelled, "by the test");
        cluster.first.manager().cancel(id, reason);
        cluster.second.manager().cancel(id, reason);
        for (Backend* backend : {&cluster.first, &cluster.second}) {
            auto outcome = backend->fetch(id);
            EXPECT_TRUE(outcome.status.ok() || outcome.status.code() == ErrorCode::kCancelled)
                << outcome.status.to_string();
        }
    }
    EXPECT_TRUE(cluster.first.is_idle_soon()) << cluster.first.memory_bytes();
    EXPECT_TRUE(cluster.second.is_idle_soon()) << cluster.second.memory_bytes();
    EXPECT_EQ(cluster.first.manager().metrics().num_receivers, 0);
}

}  // namespace thetis::testing
