// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "baidu_rpc.pb.h"
#include "server/baidu/rpc_frame.h"

namespace thetis::testing {

struct RequestOptions {
    int32_t compress_type = 0;
    std::optional<int32_t> attachment_size{};  ///< Instead of the true one.
};

inline void append_big_endian(std::string& bytes, size_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes.push_back(static_cast<char>(value >> shift));
    }
}

/// The twelve bytes at the front of a frame.
inline std::string frame_header(size_t body_size, size_t meta_size) {
    std::string bytes = "PRPC";
    append_big_endian(bytes, body_size);
    append_big_endian(bytes, meta_size);
    return bytes;
}

/// One baidu_std frame, its head written by the generated class.
inline std::string request_frame(
    std::string_view service,
    std::string_view method,
    int64_t correlation_id,
    std::string_view message,
    std::string_view attachment = {},
    const RequestOptions& options = {}
) {
    pb::RpcMeta meta;
    meta.mutable_request()->set_service_name(std::string(service));
    meta.mutable_request()->set_method_name(std::string(method));
    meta.mutable_request()->set_log_id(correlation_id);
    meta.mutable_request()->set_timeout_ms(100);
    meta.set_correlation_id(correlation_id);
    if (options.compress_type != 0) {
        meta.set_compress_type(options.compress_type);
    }
    if (!attachment.empty() || options.attachment_size.has_value()) {
        meta.set_attachment_size(
            options.attachment_size.value_or(static_cast<int32_t>(attachment.size()))
        );
    }
    std::string head = meta.SerializeAsString();
    std::string bytes = frame_header(head.size() + message.size() + attachment.size(), head.size());
    return bytes.append(head).append(message).append(attachment);
}

struct Reply {
    int64_t correlation_id = 0;
    int32_t error_code = 0;
    std::string error_text;
    std::string message;
    std::string attachment;
};

/// A blocking client on the loopback address with a deadline on everything. One thread may send
/// while another receives.
class BaiduClient {
public:
    explicit BaiduClient(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        timeval patience{20, 0};
        int on = 1;
        setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
        setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<uint16_t>(port));
        EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0)
            << "errno " << errno;
    }

    ~BaiduClient() { close(socket_); }

    BaiduClient(const BaiduClient&) = delete;
    BaiduClient& operator=(const BaiduClient&) = delete;

    /// Fails the test when the server is gone.
    void send(std::string_view bytes) { EXPECT_TRUE(try_send(bytes)) << "errno " << errno; }

    bool try_send(std::string_view bytes) {
        while (!bytes.empty()) {
            ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count < 0) {
                return false;
            }
            bytes.remove_prefix(static_cast<size_t>(count));
        }
        return true;
    }

    void half_close() { shutdown(socket_, SHUT_WR); }

    /// The next reply; nothing when the server closed. Fails the test on anything but a whole
    /// reply.
    std::optional<Reply> receive() {
        if (!fill(kRpcHeaderBytes)) {
            return std::nullopt;
        }
        RpcFrameSizes sizes;
        if (read_frame_sizes(rest(), UINT32_MAX, sizes) != FrameCheck::kGood) {
            ADD_FAILURE() << "not a frame";
            return std::nullopt;
        }
        if (!fill(kRpcHeaderBytes + sizes.body)) {
            ADD_FAILURE() << "half a reply";
            return std::nullopt;
        }
        std::string_view body = rest().substr(kRpcHeaderBytes, sizes.body);
        pb::RpcMeta meta;
        EXPECT_TRUE(meta.ParseFromArray(body.data(), static_cast<int>(sizes.meta)));
        EXPECT_TRUE(meta.has_response());
        body.remove_prefix(sizes.meta);
        const auto attached = static_cast<size_t>(meta.attachment_size());
        Reply reply;
        reply.correlation_id = meta.correlation_id();
        reply.error_code = meta.response().error_code();
        reply.error_text = meta.response().error_text();
        reply.message = body.substr(0, body.size() - attached);
        reply.attachment = body.substr(body.size() - attached);
        taken_ += kRpcHeaderBytes + sizes.body;
        return reply;
    }

    /// The server's end was seen, and not only waited for.
    bool is_closed() const { return is_closed_; }

private:
    std::string_view rest() const { return std::string_view(received_).substr(taken_); }

    bool fill(size_t size) {
        if (taken_ > 0 && rest().size() < size) {
            received_.erase(0, taken_);
            taken_ = 0;
        }
        while (rest().size() < size) {
            char bytes[65536];
            ssize_t count = recv(socket_, bytes, sizeof(bytes), 0);
            if (count <= 0) {
                is_closed_ = count == 0 || errno == ECONNRESET;
                EXPECT_TRUE(is_closed_) << "errno " << errno;
                EXPECT_TRUE(rest().empty() || errno == ECONNRESET) << "half a reply";
                return false;
            }
            received_.append(bytes, static_cast<size_t>(count));
        }
        return true;
    }

    const int socket_;
    std::string received_;
    size_t taken_ = 0;
    bool is_closed_ = false;
};

}  // namespace thetis::testing
