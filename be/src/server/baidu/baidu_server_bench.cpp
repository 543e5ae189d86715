// SPDX-License-Identifier: Apache-2.0
// Calls over loopback: what one costs the server, and what it waits beside threads that use all
// processors.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>

#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/metrics.h"
#include "server/baidu/baidu_server.h"
#include "server/baidu/rpc_frame.h"
#include "server/port_acceptor.h"

namespace thetis {
namespace {

using Clock = std::chrono::steady_clock;

/// Adds up what the threads that make handlers use: each loop's thread is known from its first
/// call.
class EchoCalls final : public CallHandler {
public:
    explicit EchoCalls(std::atomic<clockid_t>* clock) : clock_(clock) {}

    bool call(std::string_view, std::string_view message, std::string_view, RpcReplyFrame& reply)
        override {
        if (clock_->load(std::memory_order_relaxed) == 0) {
            clockid_t clock = 0;
            pthread_getcpuclockid(pthread_self(), &clock);
            clock_->store(clock);
        }
        reply.bytes().append(message);
        return true;
    }

private:
    std::atomic<clockid_t>* clock_;
};

std::string echo_frame(std::string_view message) {
    // RpcMeta: request {service_name, method_name}, correlation_id.
    std::string meta(
        "\x0a\x0a\x0a\x04"
        "Echo\x12\x02"
        "do\x20\x07",
        14
    );
    std::string frame = "PRPC";
    for (size_t value : {meta.size() + message.size(), meta.size()}) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            frame.push_back(static_cast<char>(value >> shift));
        }
    }
    return frame.append(meta).append(message);
}

/// One thread serves.
struct EchoServer {
    explicit EchoServer(int spin_us)
        : server(
              {{"Echo", [this] { return std::make_unique<EchoCalls>(&clock); }}},
              options(spin_us),
              metrics
          ),
          acceptor({[this](int socket) { server.serve(socket); }, [](int socket) { close(socket); }}
          ) {
        is_good = server.start().ok() && acceptor.start("127.0.0.1", 0).ok();
    }

    ~EchoServer() {
        acceptor.stop();
        server.stop();
    }

    static BaiduServerOptions options(int spin_us) {
        BaiduServerOptions options;
        options.num_threads = 1;
        options.spin_us = spin_us;
        return options;
    }

    /// Processor time of the serving thread.
    int64_t cpu_nanos() const {
        timespec time{};
        clock_gettime(clock.load(), &time);
        return time.tv_sec * 1'000'000'000 + time.tv_nsec;
    }

    std::atomic<clockid_t> clock{0};
    MetricRegistry metrics;
    BaiduServer server;
    PortAcceptor acceptor;
    bool is_good = false;
};

int connect_to(int port) {
    int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<uint16_t>(port));
    int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
        close(socket);
        return -1;
    }
    return socket;
}

bool exchange(int socket, const std::string& frame, std::string& reply, size_t reply_size) {
    if (send(socket, frame.data(), frame.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(frame.size())) {
        return false;
    }
    reply.resize(reply_size);
    return recv(socket, reply.data(), reply_size, MSG_WAITALL) == static_cast<ssize_t>(reply_size);
}

/// The size of one reply, learnt from one call.
size_t warm_up(int socket, const std::string& frame) {
    char bytes[4096];
    if (send(socket, frame.data(), frame.size(), MSG_NOSIGNAL) < 0) {
        return 0;
    }
    return static_cast<size_t>(std::max<ssize_t>(recv(socket, bytes, sizeof(bytes), 0), 0));
}

/// Arguments: connections that each have one call under way, microseconds of spinning.
void BM_Echo(benchmark::State& state) {
    EchoServer echo(static_cast<int>(state.range(1)));
    const std::string frame = echo_frame(std::string(60, 'k'));
    std::vector<int> sockets;
    size_t reply_size = 0;
    for (int64_t i = 0; i < state.range(0) && echo.is_good; ++i) {
        sockets.push_back(connect_to(echo.acceptor.port()));
        reply_size = warm_up(sockets.back(), frame);
    }
    if (reply_size == 0) {
        state.SkipWithError("the server does not answer");
        return;
    }
    std::string reply(reply_size, '\0');
    const int64_t cpu_before = echo.cpu_nanos();
    for (auto _ : state) {
        for (int socket : sockets) {
            benchmark::DoNotOptimize(send(socket, frame.data(), frame.size(), MSG_NOSIGNAL));
        }
        for (int socket : sockets) {
            benchmark::DoNotOptimize(recv(socket, reply.data(), reply_size, MSG_WAITALL));
        }
    }
    const auto calls = state.iterations() * state.range(0);
    state.SetItemsProcessed(calls);
    state.counters["server_ns_per_call"] =
        static_cast<double>(echo.cpu_nanos() - cpu_before) / static_cast<double>(calls);
    for (int socket : sockets) {
        close(socket);
    }
}

BENCHMARK(BM_Echo)->Args({1, 0})->Args({1, 50})->Args({50, 0})->UseRealTime();

/// Calls of one connection, many in one write: what is left when system calls are shared.
void BM_EchoPipelined(benchmark::State& state) {
    constexpr int kDepth = 100;
    EchoServer echo(0);
    const std::string frame = echo_frame(std::string(60, 'k'));
    int socket = echo.is_good ? connect_to(echo.acceptor.port()) : -1;
    const size_t reply_size = warm_up(socket, frame);
    if (reply_size == 0) {
        state.SkipWithError("the server does not answer");
        return;
    }
    std::string frames;
    for (int i = 0; i < kDepth; ++i) {
        frames += frame;
    }
    std::string reply;
    const int64_t cpu_before = echo.cpu_nanos();
    for (auto _ : state) {
        if (!exchange(socket, frames, reply, reply_size * kDepth)) {
            state.SkipWithError("the connection broke");
            break;
        }
    }
    const auto calls = state.iterations() * kDepth;
    state.SetItemsProcessed(calls);
    state.counters["server_ns_per_call"] =
        static_cast<double>(echo.cpu_nanos() - cpu_before) / static_cast<double>(calls);
    close(socket);
}

BENCHMARK(BM_EchoPipelined)->UseRealTime();

/// One call after the other while as many threads as there are processors never rest; the argument
/// is their nice value, -1: there are none.
void BM_EchoBesideScans(benchmark::State& state) {
    EchoServer echo(0);
    std::atomic<bool> ends{false};
    std::vector<std::thread> scans;
    for (unsigned i = 0; state.range(0) >= 0 && i < std::thread::hardware_concurrency(); ++i) {
        scans.emplace_back([&] {
            setpriority(
                PRIO_PROCESS, static_cast<id_t>(gettid()), static_cast<int>(state.range(0))
            );
            uint64_t sum = 0;
            while (!ends.load(std::memory_order_relaxed)) {
                benchmark::DoNotOptimize(sum += sum * 31 + 7);
            }
        });
    }
    const std::string frame = echo_frame(std::string(60, 'k'));
    int socket = echo.is_good ? connect_to(echo.acceptor.port()) : -1;
    const size_t reply_size = warm_up(socket, frame);
    std::vector<double> micros;
    std::string reply;
    for (auto _ : state) {
        auto begin = Clock::now();
        if (reply_size == 0 || !exchange(socket, frame, reply, reply_size)) {
            state.SkipWithError("the server does not answer");
            break;
        }
        micros.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    }
    ends = true;
    for (auto& scan : scans) {
        scan.join();
    }
    if (!micros.empty()) {
        std::sort(micros.begin(), micros.end());
        state.counters["p50_us"] = micros[micros.size() / 2];
        state.counters["p99_us"] = micros[micros.size() * 99 / 100];
    }
    if (socket >= 0) {
        close(socket);
    }
}

BENCHMARK(BM_EchoBesideScans)->Arg(-1)->Arg(0)->Arg(5)->Arg(10)->Arg(19)->UseRealTime();

}  // namespace
}  // namespace thetis
