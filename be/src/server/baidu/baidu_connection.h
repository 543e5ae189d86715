// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/thread/mutex.h"
#include "server/baidu/rpc_frame.h"

namespace thetis {

/// Buffers that a thread lends to the connection it is serving, so that idle ones have none.
struct BaiduScratch {
    std::string input;
    std::string output;
};

/// What the calls of one pass came to.
struct BaiduPass {
    int64_t num_calls = 0;
    int64_t num_errors = 0;
    int64_t bytes_received = 0;
    int64_t bytes_sent = 0;
};

/// One client: cuts frames out of what it sends and keeps what it does not read. Owns the socket.
/// Used by one thread.
class BaiduConnection {
public:
    /// Answers one frame: its meta, and the message with the attachment. False: not a request.
    using Answer =
        std::function<bool(std::string_view meta, std::string_view payload, std::string& output)>;

    struct Limits {
        uint64_t max_body_bytes;
        size_t max_unsent_bytes;
    };

    BaiduConnection(int socket, Limits limits) : socket_(socket), limits_(limits) {}

    ~BaiduConnection();
    BaiduConnection(const BaiduConnection&) = delete;
    BaiduConnection& operator=(const BaiduConnection&) = delete;

    int socket() const { return socket_; }

    /// Reads once, answers every whole frame, sends the replies. False: close the connection.
    bool on_readable(BaiduScratch& scratch, const Answer& answer, BaiduPass& pass);
    /// Sends what is owed; answers frames that waited for room. False: close the connection.
    bool on_writable(BaiduScratch& scratch, const Answer& answer, BaiduPass& pass);
    /// Throws away what arrives; false when the client is gone. For connections that end.
    bool discard(BaiduScratch& scratch);

    bool wants_read() const { return !is_half_closed_ && !is_clogged_; }

    bool wants_write() const { return sent_ < unsent_.size(); }

    /// In the middle of something that the client has to go on with.
    bool is_waiting() const { return wants_write() || !pending_.empty(); }

    /// Why it has to be closed; empty when the client left.
    const std::string& complaint() const { return complaint_; }

    void complain(std::string text) { complaint_ = std::move(text); }

    /// Address and port of the client, for the log.
    std::string peer() const;

    SteadyTime last_progress;  ///< Kept by the owner while is_waiting().
    bool is_counted_waiting = false;
    uint32_t events = 0;  ///< What the socket is watched for.
    size_t index = 0;     ///< Where the owner keeps it.

private:
    /// Answers the whole frames at the start of `bytes`, as long as there is room for replies.
    /// Returns how many bytes they took; npos: a bad frame.
    size_t answer_frames(
        std::string_view bytes, BaiduScratch& scratch, const Answer& answer, BaiduPass& pass
    );
    bool read_more(BaiduScratch& scratch, const Answer& answer, BaiduPass& pass);
    bool answer_pending(BaiduScratch& scratch, const Answer& answer, BaiduPass& pass);
    /// Sends scratch.output, keeps what the socket does not take. False: broken.
    bool send_replies(BaiduScratch& scratch, BaiduPass& pass);
    bool send_unsent(BaiduPass& pass);

    const int socket_;
    const Limits limits_;
    std::string pending_;  // Received and not answered: half a frame, or more while clogged.
    std::string unsent_;
    size_t sent_ = 0;              // How much of unsent_ is gone.
    bool is_clogged_ = false;      // Owes too much: requests wait.
    bool is_half_closed_ = false;  // The client sends no more, and is owed replies.
    std::string complaint_;
};

}  // namespace thetis
