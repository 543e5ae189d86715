// SPDX-License-Identifier: Apache-2.0
#include "server/baidu/baidu_server.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/logging.h"
#include "base/metrics.h"
#include "base/thread/mutex.h"
#include "base/thread/thread_pool.h"
#include "server/baidu/baidu_connection.h"
#include "server/baidu/rpc_frame.h"
#include "server/baidu/thread_cpu.h"

namespace thetis {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMaxEvents = 256;
constexpr auto kSweepPeriod = std::chrono::milliseconds(1000);
constexpr auto kGoodbyeTime = std::chrono::milliseconds(500);
// A client whose machine vanished is noticed after about 90 s.
constexpr int kKeepAliveIdleSeconds = 60;
constexpr int kKeepAliveIntervalSeconds = 10;
constexpr int kKeepAliveProbes = 3;

void set_option(int socket, int level, int name, int value) {
    if (setsockopt(socket, level, name, &value, sizeof(value)) != 0) {
        LOG_DEBUG("socket option {} is not to be had: {}", name, std::strerror(errno));
    }
}

}  // namespace

struct BaiduServer::Metrics {
    explicit Metrics(MetricRegistry& registry)
        : connections(registry.gauge("small_call_connections", "Clients in baidu_std framing.")),
          calls(registry.counter("small_call_requests_total", "Calls in baidu_std framing.")),
          errors(registry.counter(
              "small_call_errors_total", "Calls answered with an RPC error (not with a status)."
          )),
          refused(registry.counter(
              "small_call_bad_connections_total", "Connections closed for what they sent."
          )),
          bytes_received(registry.counter("small_call_received_bytes_total", "Bytes of calls.")),
          bytes_sent(registry.counter("small_call_sent_bytes_total", "Bytes of replies.")),
          batch_size(
              registry.histogram("small_call_batch_size", "Calls answered per waking of a thread.")
          ) {
        // The page of metrics may be asked for when the server is gone.
        registry.gauge_function(
            "small_call_cpu_ns",
            "CPU time of the threads that answer calls in baidu_std framing, in nanoseconds.",
            "",
            [cpu = cpu] { return cpu->total_ns(); }
        );
    }

    Gauge& connections;
    Counter& calls;
    Counter& errors;
    Counter& refused;
    Counter& bytes_received;
    Counter& bytes_sent;
    Histogram& batch_size;
    std::shared_ptr<ThreadCpu> cpu = std::make_shared<ThreadCpu>();
};

/// One thread and the connections it owns.
class BaiduServer::Loop {
public:
    Loop(
        const std::vector<CallService>& services,
        const BaiduServerOptions& options,
        Metrics& metrics
    )
        : options_(options), metrics_(metrics) {
        for (const auto& service : services) {
            handlers_.push_back({service.name, service.make_handler()});
        }
        answer_ = [this](std::string_view meta, std::string_view payload, std::string& output) {
            return answer(meta, payload, output);
        };
    }

    ~Loop() {
        stop();
        for (int socket : inbox_) {
            close(socket);
        }
        for (int descriptor : {epoll_, wake_}) {
            if (descriptor >= 0) {
                close(descriptor);
            }
        }
    }

    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    Status start() {
        epoll_ = epoll_create1(EPOLL_CLOEXEC);
        wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.ptr = nullptr;
        if (epoll_ < 0 || wake_ < 0 || epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) != 0) {
            return Status::error(
                ErrorCode::kIoError, "cannot watch sockets: {}", std::strerror(errno)
            );
        }
        thread_ = std::thread([this] {
            set_thread_name("small_calls");
            const ThreadCpu::Member counted(*metrics_.cpu);
            run();
        });
        return {};
    }

    /// Thread-safe.
    void serve(int socket) {
        {
            MutexLock lock(mutex_);
            if (!stops_) {
                inbox_.push_back(socket);
                socket = -1;
            }
        }
        if (socket >= 0) {
            close(socket);
            return;
        }
        num_connections_.fetch_add(1, std::memory_order_relaxed);
        wake();
    }

    void stop() {
        {
            MutexLock lock(mutex_);
            stops_ = true;
        }
        if (thread_.joinable()) {
            wake();
            thread_.join();
        }
    }

    int64_t num_connections() const { return num_connections_.load(std::memory_order_relaxed); }

private:
    struct Handler {
        std::string service;
        std::unique_ptr<CallHandler> handler;
    };

    void wake() {
        uint64_t one = 1;
        // It only fails when the counter is full, and then the thread is woken anyway.
        [[maybe_unused]] ssize_t written = write(wake_, &one, sizeof(one));
    }

    bool answer(std::string_view meta, std::string_view payload, std::string& output) {
        RpcRequestHead head;
        if (!read_request_head(meta, head)) {
            return false;
        }
        RpcReplyFrame reply(output, head.correlation_id);
        call(head, payload, reply);
        reply.finish();
        pass_.num_errors += reply.is_failed() ? 1 : 0;
        return true;
    }

    void call(const RpcRequestHead& head, std::string_view payload, RpcReplyFrame& reply) {
        if (head.compress_type != 0) {
            reply.fail(
                RpcError::kBadRequest,
                fmt::format("compress_type {} is not supported", head.compress_type)
            );
            return;
        }
        if (head.attachment_size < 0 ||
            static_cast<size_t>(head.attachment_size) > payload.size()) {
            reply.fail(
                RpcError::kBadRequest,
                fmt::format(
                    "attachment_size {} does not fit into {} bytes",
                    head.attachment_size,
                    payload.size()
                )
            );
            return;
        }
        const size_t message_size = payload.size() - static_cast<size_t>(head.attachment_size);
        for (auto& [service, handler] : handlers_) {
            if (service != head.service) {
                continue;
            }
            if (!handler->call(
                    head.method,
                    payload.substr(0, message_size),
                    payload.substr(message_size),
                    reply
                )) {
                reply.fail(
                    RpcError::kNoMethod, fmt::format("no method {}.{}", head.service, head.method)
                );
            }
            return;
        }
        reply.fail(RpcError::kNoService, fmt::format("no service {}", head.service));
    }

    /// Waits for events, at most a sweep's time when somebody has to be watched.
    int wait(std::array<epoll_event, kMaxEvents>& events) {
        if (options_.spin_us > 0 && was_busy_) {
            auto end = Clock::now() + std::chrono::microseconds(options_.spin_us);
            do {
                int count = epoll_wait(epoll_, events.data(), kMaxEvents, 0);
                if (count != 0) {
                    return count;
                }
            } while (Clock::now() < end);
        }
        int timeout_ms = num_waiting_ > 0 ? static_cast<int>(kSweepPeriod.count()) : -1;
        return epoll_wait(epoll_, events.data(), kMaxEvents, timeout_ms);
    }

    void run() {
        std::array<epoll_event, kMaxEvents> events;
        while (true) {
            int count = wait(events);
            if (count < 0 && errno != EINTR) {
                LOG_ERROR("small calls end: cannot wait for sockets: {}", std::strerror(errno));
                break;
            }
            pass_ = {};
            for (int i = 0; i < count; ++i) {
                if (events[i].data.ptr != nullptr) {
                    serve_events(
                        *static_cast<BaiduConnection*>(events[i].data.ptr), events[i].events
                    );
                }
            }
            was_busy_ = pass_.num_calls > 0;
            count_pass();
            if (count > 0 && !take_new(events, count)) {
                break;
            }
            if (num_waiting_ > 0 && Clock::now() >= next_sweep_) {
                sweep();
            }
        }
        say_goodbye(events);
        while (!connections_.empty()) {
            remove(*connections_.back());
        }
    }

    void count_pass() {
        if (pass_.num_calls > 0) {
            metrics_.calls.add(pass_.num_calls);
            metrics_.batch_size.record(pass_.num_calls);
        }
        if (pass_.num_errors > 0) {
            metrics_.errors.add(pass_.num_errors);
        }
        if (pass_.bytes_received > 0) {
            metrics_.bytes_received.add(pass_.bytes_received);
        }
        if (pass_.bytes_sent > 0) {
            metrics_.bytes_sent.add(pass_.bytes_sent);
        }
    }

    /// Takes over what serve() left when it was the one to wake this thread; false to stop.
    bool take_new(const std::array<epoll_event, kMaxEvents>& events, int count) {
        bool is_woken = false;
        for (int i = 0; i < count; ++i) {
            is_woken |= events[i].data.ptr == nullptr;
        }
        if (!is_woken) {
            return true;
        }
        uint64_t ignored = 0;
        [[maybe_unused]] ssize_t got = read(wake_, &ignored, sizeof(ignored));
        std::vector<int> fresh;
        bool goes_on = true;
        {
            MutexLock lock(mutex_);
            fresh.swap(inbox_);
            goes_on = !stops_;
        }
        for (int socket : fresh) {
            add(socket);
        }
        return goes_on;
    }

    void add(int socket) {
        set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
        set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
        set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, kKeepAliveIdleSeconds);
        set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, kKeepAliveIntervalSeconds);
        set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, kKeepAliveProbes);
        auto connection = std::make_unique<BaiduConnection>(
            socket, BaiduConnection::Limits{options_.max_body_bytes, options_.max_unsent_bytes}
        );
        connection->events = EPOLLIN;
        connection->index = connections_.size();
        epoll_event event{};
        event.events = connection->events;
        event.data.ptr = connection.get();
        metrics_.connections.add(1);
        connections_.push_back(std::move(connection));
        if (epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) != 0) {
            connections_.back()->complain(fmt::format("cannot be watched: {}", std::strerror(errno))
            );
            remove(*connections_.back());
        }
    }

    void remove(BaiduConnection& connection) {
        if (!connection.complaint().empty()) {
            metrics_.refused.add(1);
            LOG_WARN(
                "small-call connection closed peer={} reason={}",
                connection.peer(),
                connection.complaint()
            );
        }
        num_waiting_ -= connection.is_counted_waiting ? 1 : 0;
        size_t index = connection.index;
        connections_.back()->index = index;
        std::swap(connections_[index], connections_.back());
        connections_.pop_back();  // Closing the socket ends its being watched.
        num_connections_.fetch_sub(1, std::memory_order_relaxed);
        metrics_.connections.add(-1);
    }

    void serve_events(BaiduConnection& connection, uint32_t events) {
        bool stays = true;
        if ((events & EPOLLERR) != 0) {
            stays = false;
        }
        if (stays && (events & EPOLLOUT) != 0) {
            stays = connection.on_writable(scratch_, answer_, pass_);
        }
        if (stays && (events & (EPOLLIN | EPOLLHUP)) != 0 && connection.wants_read()) {
            stays = connection.on_readable(scratch_, answer_, pass_);
        } else if (stays && (events & EPOLLHUP) != 0) {
            stays = false;
        }
        if (!stays) {
            remove(connection);
            return;
        }
        watch(connection);
    }

    /// Brings what epoll reports, and the watch for stalls, up to date with the connection's state.
    void watch(BaiduConnection& connection) {
        const uint32_t wanted =
            (connection.wants_read() ? EPOLLIN : 0U) | (connection.wants_write() ? EPOLLOUT : 0U);
        if (wanted != connection.events) {
            connection.events = wanted;
            epoll_event event{};
            event.events = wanted;
            event.data.ptr = &connection;
            if (epoll_ctl(epoll_, EPOLL_CTL_MOD, connection.socket(), &event) != 0) {
                connection.complain(fmt::format("cannot be watched: {}", std::strerror(errno)));
                remove(connection);
                return;
            }
        }
        const bool is_waiting = connection.is_waiting();
        if (is_waiting) {
            connection.last_progress = Clock::now();
            if (num_waiting_ == 0 && !connection.is_counted_waiting) {
                next_sweep_ = connection.last_progress + kSweepPeriod;
            }
        }
        if (is_waiting != connection.is_counted_waiting) {
            connection.is_counted_waiting = is_waiting;
            num_waiting_ += is_waiting ? 1 : -1;
        }
    }

    void sweep() {
        auto now = Clock::now();
        for (size_t i = connections_.size(); i-- > 0;) {
            BaiduConnection& connection = *connections_[i];
            if (connection.is_counted_waiting &&
                now - connection.last_progress > options_.stall_timeout) {
                connection.complain(
                    connection.wants_write() ? "it does not read its replies"
                                             : "the rest of a frame does not come"
                );
                remove(connection);
            }
        }
        next_sweep_ = now + kSweepPeriod;
    }

    /// Sends what is owed, then the end; leaves when every client has gone or time is up. A socket
    /// closed with requests unread would be reset, and the client might lose replies.
    void say_goodbye(std::array<epoll_event, kMaxEvents>& events) {
        const auto end = Clock::now() + kGoodbyeTime;
        for (auto& connection : connections_) {
            if (!connection->wants_write()) {
                shutdown(connection->socket(), SHUT_WR);
            }
        }
        while (!connections_.empty()) {
            auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
            if (left <= 0) {
                return;
            }
            int count = epoll_wait(epoll_, events.data(), kMaxEvents, static_cast<int>(left));
            if (count < 0 && errno != EINTR) {
                return;
            }
            for (int i = 0; i < count; ++i) {
                if (events[i].data.ptr != nullptr) {
                    part(*static_cast<BaiduConnection*>(events[i].data.ptr), events[i].events);
                }
            }
        }
    }

    void part(BaiduConnection& connection, uint32_t events) {
        bool stays = (events & EPOLLERR) == 0;
        if (stays && (events & EPOLLOUT) != 0) {
            stays = connection.on_writable(scratch_, answer_, pass_);
            if (stays && !connection.wants_write()) {
                shutdown(connection.socket(), SHUT_WR);
            }
        }
        if (stays && (events & (EPOLLIN | EPOLLHUP)) != 0) {
            stays = connection.discard(scratch_);
        }
        if (!stays) {
            remove(connection);
        } else {
            watch(connection);
        }
    }

    const BaiduServerOptions& options_;
    Metrics& metrics_;
    std::vector<Handler> handlers_;
    BaiduConnection::Answer answer_;
    int epoll_ = -1;
    int wake_ = -1;
    std::thread thread_;
    std::atomic<int64_t> num_connections_{0};  // For balancing and tests only.

    Mutex mutex_;  // Guards the sockets on their way to the thread.
    std::vector<int> inbox_ GUARDED_BY(mutex_);
    bool stops_ GUARDED_BY(mutex_) = false;

    // The thread's own.
    std::vector<std::unique_ptr<BaiduConnection>> connections_;
    BaiduScratch scratch_;
    BaiduPass pass_;
    int64_t num_waiting_ = 0;
    Clock::time_point next_sweep_;
    bool was_busy_ = false;
};

BaiduServer::BaiduServer(
    std::vector<CallService> services, BaiduServerOptions options, MetricRegistry& metrics
)
    : services_(std::move(services)),
      options_(options),
      metrics_(std::make_unique<Metrics>(metrics)) {}

BaiduServer::~BaiduServer() {
    stop();
}

Status BaiduServer::start() {
    for (int i = 0; i < options_.num_threads; ++i) {
        auto loop = std::make_unique<Loop>(services_, options_, *metrics_);
        RETURN_IF_ERROR(loop->start());
        loops_.push_back(std::move(loop));
    }
    return {};
}

void BaiduServer::serve(int socket) {
    if (loops_.empty()) {
        close(socket);
        return;
    }
    // The one with the fewest; equals take turns.
    const size_t first = next_loop_.fetch_add(1, std::memory_order_relaxed) % loops_.size();
    size_t best = first;
    for (size_t i = 1; i < loops_.size(); ++i) {
        size_t other = (first + i) % loops_.size();
        if (loops_[other]->num_connections() < loops_[best]->num_connections()) {
            best = other;
        }
    }
    loops_[best]->serve(socket);
}

void BaiduServer::stop() {
    // At once, not one after the other: each may take its whole time.
    std::vector<std::thread> stopping;
    for (auto& loop : loops_) {
        stopping.emplace_back([&loop] { loop->stop(); });
    }
    for (auto& thread : stopping) {
        thread.join();
    }
}

int64_t BaiduServer::num_connections() const {
    int64_t sum = 0;
    for (const auto& loop : loops_) {
        sum += loop->num_connections();
    }
    return sum;
}

}  // namespace thetis
