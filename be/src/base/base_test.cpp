// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>

#include <gtest/gtest.h>

#include "base/config.h"
#include "base/debug_points.h"
#include "base/hash.h"
#include "base/memory/arena.h"
#include "base/memory/tracker.h"
#include "base/metrics.h"
#include "base/text/json_writer.h"
#include "base/text/numbers.h"
#include "base/text/utf8.h"
#include "base/thread/blocking_queue.h"
#include "base/thread/cancellation.h"
#include "base/thread/thread_pool.h"
#include "base/thread/timer_wheel.h"
#include "base/unique_id.h"

namespace thetis {

namespace {

SteadyTime soon() {
    return std::chrono::steady_clock::now() + std::chrono::seconds(10);
}

SteadyTime at_once() {
    return std::chrono::steady_clock::now();
}

TEST(Status, CarriesCodeAndContext) {
    EXPECT_TRUE(Status().ok());
    EXPECT_EQ(Status().with_context("ignored").to_string(), "OK");
    const Status status =
        Status::error(ErrorCode::kNotFound, "tablet {}", 7).with_context("segment {}", "a");
    EXPECT_EQ(status.to_string(), "[NOT_FOUND]segment a: tablet 7");
    const auto fails = []() -> Result<int> {
        ASSIGN_OR_RETURN(const int value, Result<int>(Status::error(ErrorCode::kIoError, "x")));
        return value;
    };
    EXPECT_EQ(fails().status().code(), ErrorCode::kIoError);
}

TEST(Numbers, PrintsIntegers) {
    char text[kMaxNumberText];
    for (int64_t value :
         {int64_t{0}, int64_t{9}, int64_t{10}, int64_t{-99}, int64_t{100}, INT64_MAX, INT64_MIN}) {
        EXPECT_EQ(std::string(text, print_integer(text, value)), std::to_string(value));
    }
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(std::string(text, print_integer(text, i)), std::to_string(i));
    }
    EXPECT_EQ(
        int128_to_string(static_cast<__int128>(10000000000000000000ULL)), "10000000000000000000"
    );
    EXPECT_EQ(
        int128_to_string(~(static_cast<__int128>(1) << 127)),
        "170141183460469231731687303715884105727"
    );
    EXPECT_EQ(
        int128_to_string(static_cast<__int128>(1) << 127),
        "-170141183460469231731687303715884105728"
    );
}

TEST(Numbers, PrintsShortestFloats) {
    const auto printed = [](double value) {
        char text[kMaxNumberText];
        return std::string(text, print_double(text, value));
    };
    EXPECT_EQ(printed(1), "1");
    EXPECT_EQ(printed(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(printed(1e15), "1000000000000000");
    EXPECT_EQ(printed(1e16), "1e+16");
    EXPECT_EQ(printed(1.5e-5), "1.5e-05");
    EXPECT_EQ(printed(0.0001), "0.0001");
    EXPECT_EQ(printed(-INFINITY), "-inf");
    EXPECT_EQ(printed(NAN), "nan");
    EXPECT_EQ(printed(1.7976931348623157e308), "1.7976931348623157e+308");
}

TEST(Numbers, ParsesIntegersExactly) {
    int8_t tiny = 5;
    EXPECT_TRUE(parse_integer("-128", tiny));
    EXPECT_EQ(tiny, -128);
    EXPECT_FALSE(parse_integer("128", tiny));
    EXPECT_FALSE(parse_integer(".", tiny));
    EXPECT_FALSE(parse_integer("1e2", tiny));
    EXPECT_TRUE(parse_integer(".9", tiny));
    EXPECT_EQ(tiny, 0);
    EXPECT_TRUE(parse_integer("000000000000000000000000000000000000000000000001", tiny));
    EXPECT_EQ(tiny, 1);
    int64_t big;
    EXPECT_FALSE(parse_integer("18446744073709551617", big));
    __int128 large;
    EXPECT_FALSE(parse_integer("340282366920938463463374607431768211457", large));
}

TEST(Utf8, CountsDecodesAndChecks) {
    const std::string text = "a\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80";
    EXPECT_EQ(utf8_length(text), 4U);
    EXPECT_EQ(utf8_offset(text, 2), 3U);
    EXPECT_EQ(utf8_offset(text, 9), text.size());
    EXPECT_TRUE(is_valid_utf8(text));
    EXPECT_FALSE(is_valid_utf8("\xC3"));
    EXPECT_FALSE(is_ascii(text));
    size_t position = 6;
    EXPECT_EQ(utf8_decode(text, position), 0x1F600U);
    char bytes[4];
    EXPECT_EQ(std::string(bytes, utf8_encode(bytes, 0x1F600)), text.substr(6));
    const std::string cut = "\xE4\xB8";
    position = 0;
    EXPECT_EQ(utf8_decode(cut, position), 0xFFFDU);
    EXPECT_EQ(position, 1U);
}

TEST(JsonWriter, EscapesAndNests) {
    JsonWriter json;
    json.begin_object()
        .field("a", int64_t{1})
        .field("t\"x", "q\n\x01")
        .key("l")
        .begin_array()
        .value(true)
        .null()
        .value(1.5)
        .end_array()
        .end_object();
    EXPECT_EQ(json.text(), "{\"a\":1,\"t\\\"x\":\"q\\n\\u0001\",\"l\":[true,null,1.5]}");
}

TEST(Hash, Crc32cGoesOnWhereItStopped) {
    const std::string text = "123456789";
    EXPECT_EQ(crc32c(0, text.data(), 9), 0xE3069283U);
    EXPECT_EQ(crc32c(crc32c(0, text.data(), 4), text.data() + 4, 5), 0xE3069283U);
}

TEST(UniqueId, RoundTripsAsText) {
    const UniqueId id = UniqueId::generate();
    EXPECT_EQ(UniqueId::parse(id.to_string()), id);
    EXPECT_NE(UniqueId::generate(), id);
    EXPECT_FALSE(UniqueId::parse("12").has_value());
    EXPECT_FALSE(UniqueId::parse("1-xyz").has_value());
}

TEST(Arena, KeepsWhatItHandsOut) {
    auto tracker = MemoryTracker::create("test", 0);
    {
        const MemoryScope scope(tracker);
        Arena arena(64);
        const std::string_view small = arena.copy("hello");
        const std::string_view big = arena.copy(std::string(5000, 'x'));
        EXPECT_EQ(reinterpret_cast<uintptr_t>(arena.allocate(10, 64)) % 64, 0U);
        EXPECT_EQ(small, "hello");
        EXPECT_EQ(big.size(), 5000U);
        EXPECT_GE(tracker->used_bytes(), 5000);
        arena.clear();
        EXPECT_EQ(tracker->used_bytes(), static_cast<int64_t>(arena.memory_bytes()));
    }
    EXPECT_EQ(tracker->used_bytes(), 0);
}

TEST(MemoryTracker, RefusesPastTheLimitOfAnyAncestor) {
    auto parent = MemoryTracker::create("parent", 1 << 20);
    auto child = MemoryTracker::create("child", 0, parent);
    EXPECT_TRUE(child->try_consume(1000).ok());
    EXPECT_EQ(child->try_consume(4 << 20).code(), ErrorCode::kMemLimitExceeded);
    EXPECT_EQ(child->used_bytes(), 1000);
    child->release(1000);
}

TEST(BlockingQueue, BoundsWaitsAndCloses) {
    BlockingQueue<int> queue(1);
    EXPECT_TRUE(queue.put(1, soon()));
    EXPECT_FALSE(queue.put(2, at_once()));
    std::thread producer([&queue] { EXPECT_TRUE(queue.put(3, soon())); });
    EXPECT_EQ(queue.take(soon()), 1);
    producer.join();
    queue.close();
    EXPECT_FALSE(queue.put(4, soon()));
    EXPECT_EQ(queue.take(soon()), 3);
    EXPECT_EQ(queue.take(soon()), std::nullopt);
}

TEST(ThreadPool, RunsEverythingBeforeItStops) {
    std::atomic<int> done{0};
    ThreadPool pool("test", 2, 1000);
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(pool.submit([&done] { ++done; }).ok());
    }
    EXPECT_TRUE(pool.wait_idle(soon()));
    EXPECT_EQ(done, 100);
    pool.shutdown();
    EXPECT_FALSE(pool.submit([] {}).ok());
}

TEST(ThreadPool, RefusesWhenFull) {
    BlockingQueue<int> gate(1);
    ThreadPool pool("test", 1, 1);
    BlockingQueue<int> started(1);
    EXPECT_TRUE(pool.submit([&] {
                        started.put(1, soon());
                        gate.take(soon());
                    }
    ).ok());
    started.take(soon());
    EXPECT_TRUE(pool.submit([] {}).ok());
    EXPECT_FALSE(pool.submit([] {}).ok());
    gate.put(1, soon());
}

TEST(Cancellation, TellsEveryoneOnce) {
    CancellationToken token;
    int calls = 0;
    token.on_cancel([&calls](const Status&) { ++calls; });
    const uint64_t removed = token.on_cancel([&calls](const Status&) { calls += 100; });
    token.remove_callback(removed);
    EXPECT_TRUE(token.status().ok());
    EXPECT_TRUE(token.cancel(Status::error(ErrorCode::kCancelled, "client left")));
    EXPECT_FALSE(token.cancel(Status::error(ErrorCode::kTimeout, "late")));
    EXPECT_EQ(token.status().code(), ErrorCode::kCancelled);
    token.on_cancel([&calls](const Status& reason) { calls += reason.ok() ? 100 : 1; });
    EXPECT_EQ(calls, 2);
}

TEST(TimerWheel, RunsInOrderAndForgetsTheCancelled) {
    TimerWheel timers;
    BlockingQueue<int> ran(10);
    timers.schedule(std::chrono::milliseconds(20), [&ran] { ran.put(2, soon()); });
    timers.schedule(std::chrono::milliseconds(1), [&ran] { ran.put(1, soon()); });
    const TimerWheel::Id never =
        timers.schedule(std::chrono::hours(1), [&ran] { ran.put(9, soon()); });
    EXPECT_TRUE(timers.cancel(never));
    EXPECT_FALSE(timers.cancel(never));
    EXPECT_EQ(ran.take(soon()), 1);
    EXPECT_EQ(ran.take(soon()), 2);
    EXPECT_EQ(timers.num_pending(), 0U);
}

TEST(Metrics, PrintPrometheusText) {
    MetricRegistry registry;
    registry.counter("rows_total", "Rows read.", "path=\"a\"").add(3);
    EXPECT_EQ(
        &registry.counter("rows_total", "Rows read.", "path=\"a\""),
        &registry.counter("rows_total", "", "path=\"a\"")
    );
    registry.gauge_function("open", "Open files.", "", [] { return int64_t{5}; });
    Histogram& latency = registry.histogram("latency_us", "Latency.");
    for (int i = 0; i < 100; ++i) {
        latency.record(i < 90 ? 10 : 1000);
    }
    EXPECT_EQ(latency.quantile(0.5), 15);
    EXPECT_EQ(latency.quantile(0.99), 1023);
    const std::string text = registry.prometheus_text("thetis_");
    EXPECT_NE(
        text.find("# TYPE thetis_rows_total counter\nthetis_rows_total{path=\"a\"} 3\n"),
        std::string::npos
    );
    EXPECT_NE(text.find("thetis_open 5\n"), std::string::npos);
    EXPECT_NE(text.find("thetis_latency_us_count 100\n"), std::string::npos);
}

TEST(DebugPoints, WorkOnlyWhenEnabled) {
    DebugPoints off(false);
    EXPECT_FALSE(off.add("a", {}).ok());
    DebugPoints points(true);
    EXPECT_FALSE(points.hit("a"));
    EXPECT_TRUE(points.add("a", {{"code", "5"}}, 2).ok());
    EXPECT_EQ(points.find("a")->at("code"), "5");
    EXPECT_TRUE(points.hit("a"));
    EXPECT_FALSE(points.hit("a"));
    EXPECT_TRUE(points.add("b", {}, -1, 0).ok());
    EXPECT_FALSE(points.hit("b"));
}

constexpr ConfigKey kKeys[] = {
    {"be_port", ConfigType::kInt, "9060", false, true, true, 1, true, 65535, "port"},
    {"mem_limit", ConfigType::kString, "80%", false, true, false, 0, false, 0, "limit"},
    {"enable_x", ConfigType::kBool, "false", true, true, false, 0, false, 0, "x"},
};

TEST(Config, ReadsFilesAndChecksValues) {
    const std::string path = ::testing::TempDir() + "thetis_config_test.conf";
    std::ofstream(path) << "# comment\nbe_prt = 1\n JAVA_OPTS=x\nbe_port = 9061\nmem_limit = "
                           "${NO_SUCH_VARIABLE}50%\nenable_x = TRUE\n";
    Config config(kKeys);
    std::vector<std::string> warnings;
    ASSERT_TRUE(config.load_file(path, warnings).ok());
    std::remove(path.c_str());
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("did you mean be_port?"), std::string::npos);
    EXPECT_EQ(config.get_int("be_port"), 9061);
    EXPECT_EQ(config.get_string("mem_limit"), "50%");
    EXPECT_TRUE(config.get_bool("enable_x"));
    EXPECT_FALSE(config.set("be_port", "70000", false).ok());
    EXPECT_FALSE(config.set("be_port", "9062", true).ok());
    EXPECT_FALSE(config.set("be_port", "x", false).ok());
    EXPECT_TRUE(config.set("enable_x", "false", true).ok());
    EXPECT_EQ(config.set("nothing", "1", false).code(), ErrorCode::kNotFound);
    EXPECT_EQ(config.load_file("/no/such/file", warnings).code(), ErrorCode::kIoError);
}

}  // namespace

}  // namespace thetis
