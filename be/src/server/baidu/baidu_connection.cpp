// SPDX-License-Identifier: Apache-2.0
#include "server/baidu/baidu_connection.h"

#include <algorithm>
#include <cerrno>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace thetis {

namespace {

// Read at once; bounds how long one client keeps a thread, too.
constexpr size_t kReadBytes = size_t{64} << 10;
// Replies are sent when so many have gathered, though frames are left.
constexpr size_t kSendBytes = size_t{64} << 10;
// Larger buffers are given back after use.
constexpr size_t kKeptBytes = size_t{1} << 20;
constexpr size_t kMaxGrowth = size_t{1} << 20;

void clear(std::string& buffer) {
    if (buffer.capacity() > kKeptBytes) {
        std::string().swap(buffer);
    } else {
        buffer.clear();
    }
}

/// Makes it `size` bytes long; old bytes stay, further ones are whatever they were.
void stretch(std::string& buffer, size_t size) {
    if (buffer.size() < size) {
        buffer.resize(size);
    }
}

}  // namespace

BaiduConnection::~BaiduConnection() {
    close(socket_);
}

std::string BaiduConnection::peer() const {
    sockaddr_storage address{};
    socklen_t size = sizeof(address);
    char host[NI_MAXHOST] = "?";
    char port[NI_MAXSERV] = "?";
    auto* pointer = reinterpret_cast<sockaddr*>(&address);
    if (getpeername(socket_, pointer, &size) == 0 &&
        getnameinfo(
            pointer, size, host, sizeof(host), port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV
        ) == 0) {
        return fmt::format("{}:{}", host, port);
    }
    return "unknown";
}

bool BaiduConnection::send_unsent(BaiduPass& pass) {
    while (wants_write()) {
        ssize_t count = send(socket_, unsent_.data() + sent_, unsent_.size() - sent_, MSG_NOSIGNAL);
        if (count < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno == EAGAIN || errno == EWOULDBLOCK;
        }
        sent_ += static_cast<size_t>(count);
        pass.bytes_sent += count;
    }
    std::string().swap(unsent_);
    sent_ = 0;
    return true;
}

bool BaiduConnection::send_replies(BaiduScratch& scratch, BaiduPass& pass) {
    std::string& replies = scratch.output;
    size_t taken = 0;
    while (!wants_write() && taken < replies.size()) {
        ssize_t count = send(socket_, replies.data() + taken, replies.size() - taken, MSG_NOSIGNAL);
        if (count < 0) {
            if (errno == EINTR) {
                continue;
            }
            if (errno != EAGAIN && errno != EWOULDBLOCK) {
                return false;
            }
            break;
        }
        taken += static_cast<size_t>(count);
        pass.bytes_sent += count;
    }
    if (taken < replies.size()) {
        if (sent_ > unsent_.size() / 2) {
            unsent_.erase(0, sent_);
            sent_ = 0;
        }
        unsent_.append(replies, taken);
    }
    clear(replies);
    is_clogged_ = unsent_.size() - sent_ > limits_.max_unsent_bytes;
    return true;
}

size_t BaiduConnection::answer_frames(
    std::string_view bytes, BaiduScratch& scratch, const Answer& answer, BaiduPass& pass
) {
    size_t at = 0;
    while (at < bytes.size()) {
        if (scratch.output.size() >= kSendBytes) {
            if (!send_replies(scratch, pass)) {
                return std::string::npos;
            }
            if (is_clogged_) {
                break;
            }
        }
        std::string_view rest = bytes.substr(at);
        RpcFrameSizes sizes;
        FrameCheck check = read_frame_sizes(rest, limits_.max_body_bytes, sizes);
        if (check == FrameCheck::kBad) {
            complain(fmt::format(
                "not a frame or one larger than {} bytes (body_size={} meta_size={})",
                limits_.max_body_bytes,
                sizes.body,
                sizes.meta
            ));
            return std::string::npos;
        }
        if (check == FrameCheck::kIncomplete || rest.size() - kRpcHeaderBytes < sizes.body) {
            break;
        }
        std::string_view body = rest.substr(kRpcHeaderBytes, sizes.body);
        if (!answer(body.substr(0, sizes.meta), body.substr(sizes.meta), scratch.output)) {
            complain("the head of a frame is not that of a request");
            return std::string::npos;
        }
        ++pass.num_calls;
        at += kRpcHeaderBytes + sizes.body;
    }
    return at;
}

bool BaiduConnection::read_more(BaiduScratch& scratch, const Answer& answer, BaiduPass& pass) {
    // Half a frame is small as a rule and copied before the fresh bytes; a large one is gathered in
    // place, in a buffer that grows by what has arrived and not by what was announced.
    const bool is_gathering = pending_.size() > kReadBytes;
    std::string& buffer = is_gathering ? pending_ : scratch.input;
    const size_t before = pending_.size();
    if (!is_gathering && before > 0) {
        stretch(buffer, before);
        std::copy(pending_.begin(), pending_.end(), buffer.begin());
    }
    const size_t room = is_gathering ? std::clamp(before / 2, kReadBytes, kMaxGrowth) : kReadBytes;
    stretch(buffer, before + room);
    ssize_t count = 0;
    do {
        count = recv(socket_, buffer.data() + before, room, 0);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) {
        if (is_gathering) {
            pending_.resize(before);
        }
        if (count < 0) {
            return errno == EAGAIN || errno == EWOULDBLOCK;
        }
        is_half_closed_ = true;
        return wants_write();
    }
    pass.bytes_received += count;
    const size_t size = before + static_cast<size_t>(count);
    if (is_gathering) {
        pending_.resize(size);
        return answer_pending(scratch, answer, pass);
    }
    size_t taken = answer_frames({buffer.data(), size}, scratch, answer, pass);
    if (taken == std::string::npos) {
        send_replies(scratch, pass);  // What came before the bad frame is answered.
        return false;
    }
    if (taken == size) {
        std::string().swap(pending_);
    } else {
        pending_.assign(buffer, taken, size - taken);
    }
    return send_replies(scratch, pass);
}

bool BaiduConnection::answer_pending(BaiduScratch& scratch, const Answer& answer, BaiduPass& pass) {
    size_t taken = answer_frames(pending_, scratch, answer, pass);
    if (taken == std::string::npos) {
        send_replies(scratch, pass);  // What came before the bad frame is answered.
        return false;
    }
    if (taken == pending_.size()) {
        std::string().swap(pending_);
    } else {
        pending_.erase(0, taken);
    }
    return send_replies(scratch, pass);
}

bool BaiduConnection::on_readable(BaiduScratch& scratch, const Answer& answer, BaiduPass& pass) {
    scratch.output.clear();
    return read_more(scratch, answer, pass);
}

bool BaiduConnection::on_writable(BaiduScratch& scratch, const Answer& answer, BaiduPass& pass) {
    scratch.output.clear();
    if (!send_unsent(pass)) {
        return false;
    }
    if (wants_write()) {
        return true;
    }
    if (is_clogged_) {
        is_clogged_ = false;
        if (!answer_pending(scratch, answer, pass)) {
            return false;
        }
    }
    return !is_half_closed_ || wants_write();
}

bool BaiduConnection::discard(BaiduScratch& scratch) {
    stretch(scratch.input, kReadBytes);
    ssize_t count = recv(socket_, scratch.input.data(), kReadBytes, 0);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

}  // namespace thetis
