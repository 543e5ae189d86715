// SPDX-License-Identifier: Apache-2.0
#include "server/port_acceptor.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <thread>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/logging.h"
#include "base/thread/mutex.h"
#include "base/thread/thread_pool.h"
#include "server/baidu/rpc_frame.h"

namespace thetis {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBacklog = 1024;
constexpr int kMaxEvents = 64;
constexpr int kMaxAcceptsPerEvent = 64;
constexpr auto kSweepPeriod = std::chrono::milliseconds(500);
// When there are no descriptors left for more connections.
constexpr auto kAcceptPause = std::chrono::milliseconds(100);

enum class Protocol : uint8_t { kUndecided, kBaiduStd, kOther, kGone };

Protocol peek(int socket) {
    std::array<char, kRpcMagic.size()> first;
    ssize_t count = recv(socket, first.data(), first.size(), MSG_PEEK | MSG_DONTWAIT);
    if (count == 0) {
        return Protocol::kGone;
    }
    if (count < 0) {
        bool is_silent = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        return is_silent ? Protocol::kUndecided : Protocol::kGone;
    }
    std::string_view bytes(first.data(), static_cast<size_t>(count));
    if (bytes != kRpcMagic.substr(0, bytes.size())) {
        return Protocol::kOther;
    }
    return bytes.size() == kRpcMagic.size() ? Protocol::kBaiduStd : Protocol::kUndecided;
}

bool set_option(int socket, int level, int name, int value) {
    return setsockopt(socket, level, name, &value, sizeof(value)) == 0;
}

/// A listening socket, or -1 and errno. Accepted sockets inherit the options.
int listen_at(const addrinfo& address, int user_timeout_ms) {
    int socket = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) {
        return -1;
    }
    // SO_REUSEADDR lets a restarted process listen at once; without SO_REUSEPORT nobody else can.
    if (!set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1) ||
        !set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1) ||
        !set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, user_timeout_ms) ||
        (address.ai_family == AF_INET6 && !set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0)) ||
        bind(socket, address.ai_addr, address.ai_addrlen) != 0 || listen(socket, kBacklog) != 0) {
        int reason = errno;
        close(socket);
        errno = reason;
        return -1;
    }
    return socket;
}

int port_of(int socket) {
    sockaddr_storage address{};
    socklen_t size = sizeof(address);
    if (getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        return 0;
    }
    return ntohs(
        address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                                      : reinterpret_cast<sockaddr_in*>(&address)->sin_port
    );
}

}  // namespace

struct PortAcceptor::State {
    State(Routes to, Options given) : routes(std::move(to)), options(given) {}

    Status listen(const std::string& host, int wanted_port);
    Status watch(int descriptor, uint32_t events) const;
    void run();
    void accept_some();
    void pause_accepting();
    void resume_accepting();
    /// Gives the socket away once it is known to whom. False: not yet.
    bool route(int socket);
    void on_silent(int socket, uint32_t events);
    void sweep();
    int wait_ms() const;

    const Routes routes;
    const Options options;
    int listener = -1;
    int epoll = -1;
    int wake = -1;
    int port = 0;
    std::thread thread;
    std::atomic<bool> stops{false};  // Written before the wake-up, read after it.

    // The thread's own.
    std::map<int, SteadyTime> silent;  // Until when they may be.
    SteadyTime next_sweep;
    bool is_paused = false;
    SteadyTime paused_until;
};

Status PortAcceptor::State::listen(const std::string& host, int wanted_port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const bool is_any = host == "0.0.0.0";
    // All addresses of both families on one socket, as gRPC does.
    for (const char* name : {is_any ? "::" : host.c_str(), host.c_str()}) {
        int error = getaddrinfo(name, std::to_string(wanted_port).c_str(), &hints, &found);
        if (error != 0) {
            if (name != host.c_str()) {
                continue;
            }
            return Status::error(
                ErrorCode::kIoError, "cannot listen at {}: {}", host, gai_strerror(error)
            );
        }
        listener = listen_at(*found, options.user_timeout_ms);
        int reason = errno;
        freeaddrinfo(found);
        if (listener >= 0) {
            port = port_of(listener);
            return {};
        }
        // Only a machine without IPv6 is a reason to try again without it.
        if (name == host.c_str() || (reason != EAFNOSUPPORT && reason != EADDRNOTAVAIL)) {
            return Status::error(
                ErrorCode::kIoError,
                "cannot listen on data plane port {} (brpc_port): {}",
                wanted_port,
                std::strerror(reason)
            );
        }
    }
    return Status::error(ErrorCode::kIoError, "cannot listen at {}", host);
}

Status PortAcceptor::State::watch(int descriptor, uint32_t events) const {
    epoll_event event{};
    event.events = events;
    event.data.fd = descriptor;
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0
               ? Status()
               : Status::error(
                     ErrorCode::kIoError, "cannot watch a socket: {}", std::strerror(errno)
                 );
}

bool PortAcceptor::State::route(int socket) {
    switch (peek(socket)) {
        case Protocol::kUndecided:
            return false;
        case Protocol::kBaiduStd:
            routes.baidu_std(socket);
            break;
        case Protocol::kOther:
            routes.other(socket);
            break;
        case Protocol::kGone:
            close(socket);
            break;
    }
    return true;
}

void PortAcceptor::State::pause_accepting() {
    is_paused = true;
    paused_until = Clock::now() + kAcceptPause;
    epoll_ctl(epoll, EPOLL_CTL_DEL, listener, nullptr);
}

void PortAcceptor::State::resume_accepting() {
    is_paused = false;
    if (Status status = watch(listener, EPOLLIN); !status.ok()) {
        LOG_ERROR("data plane accepts no connections for now reason={}", status.to_string());
        is_paused = true;
        paused_until = Clock::now() + kAcceptPause;
    }
}

void PortAcceptor::State::accept_some() {
    for (int i = 0; i < kMaxAcceptsPerEvent; ++i) {
        int socket = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket < 0) {
            if (errno == EINTR || errno == ECONNABORTED || errno == EPROTO) {
                continue;
            }
            if (errno != EAGAIN && errno != EWOULDBLOCK) {
                LOG_ERROR("data plane cannot accept a connection reason={}", std::strerror(errno));
                pause_accepting();
            }
            return;
        }
        if (route(socket)) {
            continue;
        }
        // Edge-triggered: bytes that were peeked at and do not decide anything must not wake us
        // again and again. What arrived since the peek is reported.
        if (Status status = watch(socket, EPOLLIN | EPOLLRDHUP | EPOLLET); !status.ok()) {
            LOG_ERROR("data plane drops a connection reason={}", status.to_string());
            close(socket);
            continue;
        }
        silent.emplace(socket, Clock::now() + options.silence_timeout);
    }
}

void PortAcceptor::State::on_silent(int socket, uint32_t events) {
    // Whoever gets the socket watches it with its own means; ours must not stay behind.
    const bool is_over = (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    if (!is_over && peek(socket) == Protocol::kUndecided) {
        return;
    }
    epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nullptr);
    silent.erase(socket);
    if (!route(socket)) {
        close(socket);
    }
}

void PortAcceptor::State::sweep() {
    auto now = Clock::now();
    for (auto it = silent.begin(); it != silent.end();) {
        if (it->second > now) {
            ++it;
            continue;
        }
        LOG_WARN(
            "data plane connection closed reason=nothing sent within {} ms",
            options.silence_timeout.count()
        );
        close(it->first);
        it = silent.erase(it);
    }
    next_sweep = now + kSweepPeriod;
}

int PortAcceptor::State::wait_ms() const {
    if (is_paused) {
        return static_cast<int>(kAcceptPause.count());
    }
    return silent.empty() ? -1 : static_cast<int>(kSweepPeriod.count());
}

void PortAcceptor::State::run() {
    std::array<epoll_event, kMaxEvents> events;
    while (true) {
        int count = epoll_wait(epoll, events.data(), kMaxEvents, wait_ms());
        if (stops.load(std::memory_order_acquire)) {
            return;
        }
        if (count < 0 && errno != EINTR) {
            LOG_ERROR("data plane accepts no more connections: {}", std::strerror(errno));
            return;
        }
        for (int i = 0; i < count; ++i) {
            if (events[i].data.fd == listener) {
                accept_some();
            } else if (events[i].data.fd != wake) {
                on_silent(events[i].data.fd, events[i].events);
            }
        }
        auto now = Clock::now();
        if (is_paused && now >= paused_until) {
            resume_accepting();
        }
        if (!silent.empty() && now >= next_sweep) {
            sweep();
        }
    }
}

PortAcceptor::PortAcceptor(Routes routes) : PortAcceptor(std::move(routes), Options()) {}

PortAcceptor::PortAcceptor(Routes routes, Options options)
    : state_(std::make_unique<State>(std::move(routes), options)) {}

PortAcceptor::~PortAcceptor() {
    stop();
}

Status PortAcceptor::start(const std::string& host, int port) {
    State& state = *state_;
    RETURN_IF_ERROR(state.listen(host, port));
    state.epoll = epoll_create1(EPOLL_CLOEXEC);
    state.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (state.epoll < 0 || state.wake < 0) {
        return Status::error(ErrorCode::kIoError, "cannot watch sockets: {}", std::strerror(errno));
    }
    RETURN_IF_ERROR(state.watch(state.wake, EPOLLIN));
    RETURN_IF_ERROR(state.watch(state.listener, EPOLLIN));
    state.thread = std::thread([&state] {
        set_thread_name("acceptor");
        state.run();
    });
    return {};
}

int PortAcceptor::port() const {
    return state_->port;
}

void PortAcceptor::stop() {
    State& state = *state_;
    if (state.thread.joinable()) {
        state.stops.store(true, std::memory_order_release);
        uint64_t one = 1;
        [[maybe_unused]] ssize_t written = write(state.wake, &one, sizeof(one));
        state.thread.join();
    }
    for (const auto& [socket, until] : state.silent) {
        close(socket);
    }
    state.silent.clear();
    for (int* descriptor : {&state.listener, &state.epoll, &state.wake}) {
        if (*descriptor >= 0) {
            close(*descriptor);
            *descriptor = -1;
        }
    }
}

}  // namespace thetis
