// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "query/testing/query_fixture.h"

namespace thetis::testing {

namespace {

const std::vector<DataType> kOne{DataType::of(TypeId::kBigint, false)};

size_t num_threads() {
    size_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator("/proc/self/task")) {
        ++count;
    }
    return count;
}

wire::ExecPlan with_receiver(int64_t query) {
    auto source = node(6, kOne);
    wire::ExchangeSource op;
    op.exchange_id = 10;
    source.op.__set_exchange_source(op);
    auto sorted = sort(7, kOne, source, {sort_key(slot(0, kOne[0]))});
    auto plan = result_plan(query, sorted);
    plan.instances[0].num_senders[10] = 3;
    return plan;
}

}  // namespace

TEST(FragmentManager, PreparedAndNeverStartedLeavesNothing) {
    ManualClock clock(1'000'000'000);
    FragmentManagerOptions options;
    options.fragment_start_timeout_ms = 300;
    options.timer_tick_ms = 10;
    options.clock = &clock;
    Backend backend(2, options);
    size_t threads = num_threads();
    int64_t memory = backend.memory_bytes();
    for (int64_t query = 1; query <= 500; ++query) {
        ASSERT_TRUE(backend.manager().prepare(with_receiver(query), false).ok());
    }
    EXPECT_EQ(num_threads(), threads);
    EXPECT_EQ(backend.manager().metrics().num_queries, 500);
    EXPECT_EQ(backend.manager().metrics().num_prepared_not_started, 500);
    EXPECT_EQ(backend.manager().metrics().num_receivers, 500);
    clock.advance(std::chrono::milliseconds(301));
    EXPECT_TRUE(backend.is_idle_soon());
    EXPECT_EQ(backend.manager().metrics().num_receivers, 0);
    EXPECT_EQ(backend.memory_bytes(), memory);
    EXPECT_EQ(num_threads(), threads);
    auto outcome = backend.fetch({7, 1});
    EXPECT_EQ(outcome.status.code(), ErrorCode::kTimeout);
    EXPECT_FALSE(backend.manager().start({7, 2}).ok());
}

TEST(FragmentManager, DeadlineEndsARunningQuery) {
    ManualClock clock(1'000'000'000);
    FragmentManagerOptions options;
    options.timer_tick_ms = 5;
    options.clock = &clock;
    Backend backend(2, options);
    auto plan = with_receiver(1);
    plan.options.timeout_ms = 50;
    ASSERT_TRUE(backend.manager().prepare(plan, true).ok());
    clock.advance(std::chrono::milliseconds(51));
    auto outcome = backend.fetch({7, 1});
    EXPECT_EQ(outcome.status.code(), ErrorCode::kQueryTimeout);
    EXPECT_TRUE(backend.is_idle_soon());
}

TEST(FragmentManager, LostCoordinatorEndsItsQueries) {
    Backend backend;
    ASSERT_TRUE(backend.manager().prepare(with_receiver(1), true).ok());
    ASSERT_TRUE(backend.manager().prepare(with_receiver(2), false).ok());
    backend.manager().coordinator_epoch("fe", 9020, 1);
    EXPECT_EQ(backend.manager().metrics().num_queries, 2);
    backend.manager().coordinator_epoch("fe", 9020, 2);
    EXPECT_EQ(backend.fetch({7, 1}).status.code(), ErrorCode::kCancelled);
    EXPECT_TRUE(backend.is_idle_soon());
}

TEST(FragmentManager, CancelIsIdempotentAndMayComeFirst) {
    Backend backend;
    Status reason(ErrorCode::kCancelled, "client left");
    backend.manager().cancel({7, 1}, reason);
    EXPECT_EQ(backend.manager().prepare(with_receiver(1), true).code(), ErrorCode::kCancelled);
    ASSERT_TRUE(backend.manager().prepare(with_receiver(2), true).ok());
    EXPECT_EQ(backend.manager().prepare(with_receiver(2), true).code(), ErrorCode::kAlreadyExists);
    backend.manager().cancel({7, 2}, reason);
    backend.manager().cancel({7, 2}, Status(ErrorCode::kInternal, "too late"));
    auto outcome = backend.fetch({7, 2});
    EXPECT_EQ(outcome.status.message(), "client left");
    EXPECT_TRUE(backend.is_idle_soon());
}

TEST(FragmentManager, SlowFetcherHoldsTheQueryBack) {
    FragmentManagerOptions options;
    options.result_buffer_bytes = 100'000;
    Backend backend(2, options);
    ASSERT_TRUE(backend.manager().prepare(result_plan(1, numbers(1, 3'000'000)), true).ok());
    auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (std::chrono::steady_clock::now() < give_up) {
        std::this_thread::yield();
    }
    EXPECT_LT(backend.manager().metrics().memory_bytes, 20 << 20);
    auto outcome = backend.fetch({7, 1});
    ASSERT_TRUE(outcome.status.ok());
    EXPECT_EQ(outcome.rows.size(), 3'000'000U);
}

TEST(FragmentManager, PieceForAnUnknownQueryStopsItsSender) {
    Backend backend;
    TransmitAck answer;
    TransmitPiece piece;
    piece.query_id = {1, 2};
    backend.manager().receive(std::move(piece), [&](TransmitAck ack) { answer = std::move(ack); });
    EXPECT_TRUE(answer.receiver_done);
}

}  // namespace thetis::testing
