// SPDX-License-Identifier: Apache-2.0
#include "server/baidu/baidu_server.h"

#include <filesystem>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/metrics.h"
#include "server/baidu/rpc_frame.h"
#include "server/baidu/testing/baidu_client.h"
#include "server/port_acceptor.h"

namespace thetis {
namespace {

using testing::BaiduClient;
using testing::request_frame;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Echo: the message comes back, and the attachment. Big: so many bytes as the message says.
class EchoCalls final : public CallHandler {
public:
    bool call(
        std::string_view method,
        std::string_view message,
        std::string_view attachment,
        RpcReplyFrame& reply
    ) override {
        if (method == "Echo") {
            reply.bytes().append(message);
            if (!attachment.empty()) {
                reply.begin_attachment();
                reply.bytes().append(attachment);
            }
            return true;
        }
        if (method == "Big") {
            reply.begin_attachment();
            reply.bytes().append(std::stoul(std::string(message)), 'x');
            return true;
        }
        return false;
    }
};

CallService echo_service() {
    return {"thetis.test.Echo", [] { return std::make_unique<EchoCalls>(); }};
}

/// The server behind a port; everything that is not baidu_std is closed.
struct EchoServer {
    explicit EchoServer(BaiduServerOptions options = {}, PortAcceptor::Options accept = {})
        : server({echo_service()}, options, metrics),
          acceptor(
              {[this](int socket) { server.serve(socket); },
               [this](int socket) {
                   ++num_others;
                   close(socket);
               }},
              accept
          ) {
        EXPECT_TRUE(server.start().ok());
        Status status = acceptor.start("127.0.0.1", 0);
        EXPECT_TRUE(status.ok()) << status.to_string();
    }

    ~EchoServer() { stop(); }

    void stop() {
        acceptor.stop();
        server.stop();
    }

    int port() const { return acceptor.port(); }

    int64_t counter(const std::string& name) { return metrics.counter(name, "").value(); }

    MetricRegistry metrics;
    BaiduServer server;
    std::atomic<int> num_others{0};
    PortAcceptor acceptor;
};

std::string echo_frame(int64_t id, std::string_view message, std::string_view attachment = {}) {
    return request_frame("thetis.test.Echo", "Echo", id, message, attachment);
}

template <typename Condition>
bool soon(Condition condition) {
    auto end = Clock::now() + std::chrono::seconds(20);
    while (!condition()) {
        if (Clock::now() > end) {
            return false;
        }
        std::this_thread::sleep_for(milliseconds(1));
    }
    return true;
}

/// The server still answers somebody else.
void expect_alive(EchoServer& echo) {
    BaiduClient client(echo.port());
    client.send(echo_frame(77, "alive"));
    auto reply = client.receive();
    ASSERT_TRUE(reply.has_value());
    EXPECT_EQ(reply->correlation_id, 77);
    EXPECT_EQ(reply->message, "alive");
}

size_t num_open_files() {
    size_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator("/proc/self/fd")) {
        ++count;
    }
    return count;
}

TEST(BaiduServer, AnswersWithMessageAndAttachment) {
    EchoServer echo;
    BaiduClient client(echo.port());
    client.send(echo_frame(-1, "message", "attachment"));
    auto reply = client.receive();
    ASSERT_TRUE(reply.has_value());
    EXPECT_EQ(reply->correlation_id, -1);
    EXPECT_EQ(reply->error_code, 0);
    EXPECT_EQ(reply->message, "message");
    EXPECT_EQ(reply->attachment, "attachment");
    client.send(echo_frame(INT64_MAX, ""));
    reply = client.receive();
    ASSERT_TRUE(reply.has_value());
    EXPECT_EQ(reply->correlation_id, INT64_MAX);
    EXPECT_EQ(reply->message + reply->attachment, "");
}

TEST(BaiduServer, TheCpuOfItsThreadsIsCountedAndKeptWhenTheyEnd) {
    EchoServer echo;
    const auto cpu_ns = [&echo] {
        const std::string page = echo.metrics.prometheus_text("");
        const std::string name = "\nsmall_call_cpu_ns ";
        const size_t at = page.find(name);
        return at == std::string::npos ? -1 : std::stoll(page.substr(at + name.size()));
    };
    BaiduClient client(echo.port());
    const int64_t before = cpu_ns();
    EXPECT_GE(before, 0);
    for (int i = 1; i <= 50; ++i) {
        client.send(echo_frame(i, std::string(10'000, 'x')));
        ASSERT_TRUE(client.receive().has_value());
    }
    const int64_t after = cpu_ns();
    EXPECT_GT(after, before);
    echo.stop();
    EXPECT_GE(cpu_ns(), after);
}

TEST(BaiduServer, TakesAFrameSplitAtEveryByte) {
    EchoServer echo;
    const std::string frame = echo_frame(5, "split me", "and me");
    BaiduClient client(echo.port());
    for (size_t cut = 1; cut < frame.size(); ++cut) {
        client.send(frame.substr(0, cut));
        // The second half goes out when the first was read; at first it is only peeked at.
        const auto received = static_cast<int64_t>((cut - 1) * frame.size() + cut);
        ASSERT_TRUE(cut == 1 || soon([&] {
                        return echo.counter("small_call_received_bytes_total") == received;
                    }));
        client.send(frame.substr(cut));
        auto reply = client.receive();
        ASSERT_TRUE(reply.has_value()) << "cut at " << cut;
        EXPECT_EQ(reply->message, "split me");
        EXPECT_EQ(reply->attachment, "and me");
    }
}

TEST(BaiduServer, AnswersManyFramesOfOneReadInOrder) {
    EchoServer echo;
    BaiduClient client(echo.port());
    std::string bytes;
    constexpr int kNumCalls = 5000;
    for (int i = 0; i < kNumCalls; ++i) {
        bytes += echo_frame(i, "number " + std::to_string(i));
    }
    client.send(bytes);
    for (int i = 0; i < kNumCalls; ++i) {
        auto reply = client.receive();
        ASSERT_TRUE(reply.has_value());
        ASSERT_EQ(reply->correlation_id, i);
        ASSERT_EQ(reply->message, "number " + std::to_string(i));
    }
    // Counted once the replies are out.
    EXPECT_TRUE(soon([&] { return echo.counter("small_call_requests_total") == kNumCalls; }));
    // Far fewer wake-ups than calls.
    EXPECT_LT(echo.metrics.histogram("small_call_batch_size", "").count(), kNumCalls / 10);
}

TEST(BaiduServer, AnswersLargeFrames) {
    EchoServer echo;
    BaiduClient client(echo.port());
    std::string message(5 << 20, 'm');
    std::string attachment(3 << 20, 'a');
    std::thread sender([&] { client.send(echo_frame(1, message, attachment)); });
    auto reply = client.receive();
    sender.join();
    ASSERT_TRUE(reply.has_value());
    EXPECT_TRUE(reply->message == message);
    EXPECT_TRUE(reply->attachment == attachment);
    expect_alive(echo);
}

TEST(BaiduServer, NamesUnknownServicesMethodsAndBadRequests) {
    EchoServer echo;
    BaiduClient client(echo.port());
    client.send(request_frame("thetis.test.Nobody", "Echo", 1, "x"));
    client.send(request_frame("thetis.test.Echo", "Nothing", 2, "x"));
    testing::RequestOptions compressed;
    compressed.compress_type = 1;
    client.send(request_frame("thetis.test.Echo", "Echo", 3, "x", {}, compressed));
    testing::RequestOptions too_long;
    too_long.attachment_size = 100;
    client.send(request_frame("thetis.test.Echo", "Echo", 4, "x", {}, too_long));
    testing::RequestOptions negative;
    negative.attachment_size = -1;
    client.send(request_frame("thetis.test.Echo", "Echo", 5, "x", {}, negative));
    client.send(echo_frame(6, "still here"));
    const std::pair<int, std::string> expected[] = {
        {1001, "no service thetis.test.Nobody"},
        {1002, "no method thetis.test.Echo.Nothing"},
        {1003, "compress_type 1 is not supported"},
        {1003, "attachment_size 100 does not fit into 1 bytes"},
        {1003, "attachment_size -1 does not fit into 1 bytes"},
        {0, ""},
    };
    for (int i = 0; i < 6; ++i) {
        auto reply = client.receive();
        ASSERT_TRUE(reply.has_value());
        EXPECT_EQ(reply->correlation_id, i + 1);
        EXPECT_EQ(reply->error_code, expected[i].first);
        EXPECT_EQ(reply->error_text, expected[i].second);
        EXPECT_EQ(reply->message, i == 5 ? "still here" : "");
    }
    EXPECT_TRUE(soon([&] { return echo.counter("small_call_errors_total") == 5; }));
}

TEST(BaiduServer, BadInputEndsOnlyItsConnection) {
    BaiduServerOptions options;
    options.max_body_bytes = 1 << 20;
    EchoServer echo(options);
    BaiduClient bystander(echo.port());
    const std::string good = echo_frame(1, "good");
    const std::string inputs[] = {
        good + "PRPX" + std::string(8, '\0'),      // Magic lost behind a good frame.
        testing::frame_header((1 << 20) + 1, 10),  // Oversized.
        testing::frame_header(UINT32_MAX, 10),
        testing::frame_header(10, 11) + std::string(10, 'x'),     // Meta larger than the body.
        testing::frame_header(10, 10) + std::string(10, '\xff'),  // No protobuf.
        testing::frame_header(0, 0),                              // No request in the head.
        testing::frame_header(3, 3) +
            std::string("\x12\x01\x08", 3),  // A response, and a broken one.
        testing::frame_header(4, 4) +
            std::string("\x0a\x02\x0a\x05", 4),  // A string beyond its message.
    };
    int num_bad = 0;
    for (const auto& input : inputs) {
        BaiduClient client(echo.port());
        client.send(input);
        if (input.starts_with(good)) {
            EXPECT_TRUE(client.receive().has_value());
        }
        EXPECT_FALSE(client.receive().has_value()) << "input " << num_bad;
        EXPECT_TRUE(client.is_closed()) << "input " << num_bad;
        ++num_bad;
        bystander.send(echo_frame(num_bad, "me too"));
        auto reply = bystander.receive();
        ASSERT_TRUE(reply.has_value());
        EXPECT_EQ(reply->correlation_id, num_bad);
    }
    EXPECT_TRUE(soon([&] { return echo.counter("small_call_bad_connections_total") == num_bad; }));
}

TEST(BaiduServer, AStalledFrameEndsItsConnection) {
    BaiduServerOptions options;
    options.stall_timeout = milliseconds(50);
    EchoServer echo(options);
    BaiduClient idle(echo.port());
    idle.send(echo_frame(1, "idle is no crime"));
    EXPECT_TRUE(idle.receive().has_value());
    BaiduClient client(echo.port());
    client.send(echo_frame(1, "never whole").substr(0, 20));
    EXPECT_FALSE(client.receive().has_value());
    EXPECT_TRUE(client.is_closed());
    idle.send(echo_frame(2, "back"));
    EXPECT_TRUE(idle.receive().has_value());
}

TEST(BaiduServer, ASlowReaderStopsBeingReadAndGetsEverything) {
    BaiduServerOptions options;
    options.num_threads = 1;
    EchoServer echo(options);
    BaiduClient slow(echo.port());
    constexpr int kNumCalls = 2000;
    constexpr int kReplyBytes = 100'000;
    std::string requests;
    for (int i = 0; i < kNumCalls; ++i) {
        requests += request_frame("thetis.test.Echo", "Big", i, std::to_string(kReplyBytes));
    }
    slow.send(requests);
    // Far from all of the 200 MB are made: the bound and what the sockets hold.
    int64_t calls = -1;
    ASSERT_TRUE(soon([&] {
        int64_t before = std::exchange(calls, echo.counter("small_call_requests_total"));
        std::this_thread::sleep_for(milliseconds(100));
        return calls > 0 && calls == before;
    }));
    EXPECT_LT(calls, kNumCalls / 2);
    expect_alive(echo);  // On the same thread.
    for (int i = 0; i < kNumCalls; ++i) {
        auto reply = slow.receive();
        ASSERT_TRUE(reply.has_value());
        ASSERT_EQ(reply->correlation_id, i);
        ASSERT_EQ(reply->attachment.size(), static_cast<size_t>(kReplyBytes));
    }
}

TEST(BaiduServer, AHalfClosedClientGetsWhatItIsOwed) {
    EchoServer echo;
    BaiduClient client(echo.port());
    std::string requests;
    for (int i = 0; i < 200; ++i) {
        requests += request_frame("thetis.test.Echo", "Big", i, "50000");
    }
    client.send(requests);
    client.half_close();
    for (int i = 0; i < 200; ++i) {
        auto reply = client.receive();
        ASSERT_TRUE(reply.has_value());
        ASSERT_EQ(reply->correlation_id, i);
    }
    EXPECT_FALSE(client.receive().has_value());
}

TEST(BaiduServer, GivesBackThousandsOfConnections) {
    EchoServer echo;
    expect_alive(echo);
    ASSERT_TRUE(soon([&] { return echo.server.num_connections() == 0; }));
    const size_t before = num_open_files();
    for (int round = 0; round < 10; ++round) {
        std::vector<std::unique_ptr<BaiduClient>> clients;
        for (int i = 0; i < 300; ++i) {
            clients.push_back(std::make_unique<BaiduClient>(echo.port()));
            // A third says nothing, a third half a frame, a third is served.
            if (i % 3 == 1) {
                clients.back()->send(echo_frame(i, "half").substr(0, 15));
            } else if (i % 3 == 2) {
                clients.back()->send(echo_frame(i, "whole"));
                ASSERT_TRUE(clients.back()->receive().has_value());
            }
        }
    }
    EXPECT_TRUE(soon([&] {
        return echo.server.num_connections() == 0 && num_open_files() == before;
    })) << num_open_files()
        << " files, before " << before;
    EXPECT_EQ(echo.metrics.gauge("small_call_connections", "").value(), 0);
    expect_alive(echo);
}

TEST(BaiduServer, StopsUnderLoadWithinItsTime) {
    auto echo = std::make_unique<EchoServer>();
    std::atomic<int64_t> num_answered{0};
    std::atomic<int> num_wrong{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i) {
        clients.emplace_back([&, port = echo->port()] {
            BaiduClient client(port);
            for (int64_t id = 0;; ++id) {
                if (!client.try_send(echo_frame(id, "load"))) {
                    return;
                }
                auto reply = client.receive();
                if (!reply.has_value()) {
                    return;
                }
                num_wrong += reply->correlation_id != id || reply->message != "load";
                ++num_answered;
            }
        });
    }
    ASSERT_TRUE(soon([&] { return num_answered > 1000; }));
    auto begin = Clock::now();
    echo->stop();
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5));
    for (auto& client : clients) {
        client.join();
    }
    EXPECT_EQ(num_wrong, 0);
    EXPECT_EQ(echo->server.num_connections(), 0);
}

TEST(BaiduServer, StopsThoughAClientStays) {
    EchoServer echo;
    BaiduClient client(echo.port());
    client.send(echo_frame(1, "x"));
    ASSERT_TRUE(client.receive().has_value());
    auto begin = Clock::now();
    echo.stop();
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5));
    EXPECT_FALSE(client.receive().has_value());
}

TEST(BaiduServer, SurvivesMutatedFrames) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    BaiduServerOptions options;
    options.max_body_bytes = 1 << 16;
    EchoServer echo(options);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes;
        for (int i = 0; i < 3; ++i) {
            bytes += echo_frame(i, std::string(random() % 40, 'm'), std::string(random() % 9, 'a'));
        }
        for (auto left = 1 + random() % 4; left > 0; --left) {
            const size_t at = random() % bytes.size();
            switch (random() % 4) {
                case 0:
                    bytes[at] = static_cast<char>(random());
                    break;
                case 1:
                    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
                    break;
                case 2:
                    bytes.erase(at, 1 + random() % 8);
                    break;
                default:
                    bytes.insert(at, std::string(1 + random() % 8, static_cast<char>(random())));
            }
            if (bytes.empty()) {
                bytes = "P";
            }
        }
        BaiduClient client(echo.port());
        client.try_send(bytes);
        client.half_close();
        // What comes back, if anything, is whole replies and then the end.
        while (client.receive().has_value()) {
        }
        ASSERT_TRUE(client.is_closed()) << "round " << round;
    }
    expect_alive(echo);
}

TEST(PortAcceptor, RoutesByTheFirstBytes) {
    PortAcceptor::Options accept;
    accept.silence_timeout = milliseconds(100);
    EchoServer echo({}, accept);
    BaiduClient http2(echo.port());
    http2.send("PRI * HTTP/2.0");
    EXPECT_FALSE(http2.receive().has_value());
    EXPECT_EQ(echo.num_others, 1);
    BaiduClient other(echo.port());
    other.send("x");
    EXPECT_FALSE(other.receive().has_value());
    EXPECT_EQ(echo.num_others, 2);
    // Silent, and silent in the middle of the word: closed after a while.
    BaiduClient silent(echo.port());
    BaiduClient undecided(echo.port());
    undecided.send("PR");
    EXPECT_FALSE(silent.receive().has_value());
    EXPECT_FALSE(undecided.receive().has_value());
    // Gone in the middle of the word.
    BaiduClient gone(echo.port());
    gone.send("PRP");
    gone.half_close();
    EXPECT_FALSE(gone.receive().has_value());
    EXPECT_EQ(echo.num_others, 2);
    expect_alive(echo);
}

TEST(PortAcceptor, PutsTheFirstWordTogether) {
    EchoServer echo;
    const std::string frame = echo_frame(1, "word");
    for (size_t cut = 1; cut < 6; ++cut) {
        BaiduClient client(echo.port());
        client.send(frame.substr(0, cut));
        std::this_thread::sleep_for(milliseconds(5));
        client.send(frame.substr(cut, 1));
        std::this_thread::sleep_for(milliseconds(5));
        client.send(frame.substr(cut + 1));
        auto reply = client.receive();
        ASSERT_TRUE(reply.has_value());
        EXPECT_EQ(reply->message, "word");
    }
    EXPECT_EQ(echo.num_others, 0);
}

TEST(PortAcceptor, SharesItsPortWithNobody) {
    EchoServer echo;
    PortAcceptor second({[](int socket) { close(socket); }, [](int socket) { close(socket); }});
    Status status = second.start("127.0.0.1", echo.port());
    EXPECT_EQ(status.code(), ErrorCode::kIoError);
    EXPECT_NE(status.to_string().find("in use"), std::string::npos) << status.to_string();
    Status any = PortAcceptor({[](int socket) { close(socket); }, [](int socket) { close(socket); }}
    ).start("0.0.0.0", echo.port());
    EXPECT_EQ(any.code(), ErrorCode::kIoError);
}

TEST(PortAcceptor, LeavesTheSilentWhenItStops) {
    const size_t before = num_open_files();
    {
        EchoServer echo;
        BaiduClient silent(echo.port());
        expect_alive(echo);
        echo.stop();
        EXPECT_FALSE(silent.receive().has_value());
    }
    EXPECT_EQ(num_open_files(), before);
}

}  // namespace
}  // namespace thetis
