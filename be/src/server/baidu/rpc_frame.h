// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thetis {

/// Error codes of RpcResponseMeta, by brpc's numbers.
enum class RpcError : int32_t {
    kNone = 0,
    kNoService = 1001,
    kNoMethod = 1002,
    kBadRequest = 1003,
};

// A baidu_std frame: "PRPC", body size, meta size (4 bytes big-endian each), RpcMeta, message,
// attachment; the body is everything behind these twelve bytes. See gensrc/proto/baidu_rpc.proto.
inline constexpr std::string_view kRpcMagic = "PRPC";
inline constexpr size_t kRpcHeaderBytes = 12;

/// The sizes at the front of a frame.
struct RpcFrameSizes {
    uint32_t body = 0;
    uint32_t meta = 0;
};

enum class FrameCheck : uint8_t {
    kIncomplete,  ///< Good so far; more bytes are needed for the sizes.
    kGood,        ///< The sizes were read; the body may still be on its way.
    kBad,         ///< Never a frame.
};

/// Reads the twelve bytes. Bad: other magic (told from its first wrong byte on), a body above
/// `max_body_bytes`, a meta larger than the body.
FrameCheck read_frame_sizes(std::string_view bytes, uint64_t max_body_bytes, RpcFrameSizes& sizes);

/// What is read of a request's RpcMeta; the views point into the frame.
struct RpcRequestHead {
    std::string_view service;
    std::string_view method;
    int64_t correlation_id = 0;
    int32_t compress_type = 0;
    int32_t attachment_size = 0;
    bool has_service = false;
    bool has_method = false;
    bool has_request = false;
};

/// Reads a pb::RpcMeta without allocating. False unless it is one of a request with all that is
/// required; protobuf groups, which RpcMeta never had, are refused.
bool read_request_head(std::string_view meta, RpcRequestHead& head);

/// Writes one reply frame behind what `output` holds. The message and then the attachment are
/// appended to bytes() between the constructor and finish().
class RpcReplyFrame {
public:
    RpcReplyFrame(std::string& output, int64_t correlation_id);
    RpcReplyFrame(const RpcReplyFrame&) = delete;
    RpcReplyFrame& operator=(const RpcReplyFrame&) = delete;

    std::string& bytes() { return output_; }

    /// What is appended from here on is the attachment.
    void begin_attachment() { attachment_start_ = output_.size(); }

    /// Answers with an error instead; what was appended is taken back.
    void fail(RpcError error, std::string_view text);

    /// No reply at all.
    void drop();

    bool is_failed() const { return is_failed_; }

    /// Fills in the sizes. A frame larger than its readers can take becomes an error.
    void finish();

private:
    std::string& output_;
    const int64_t correlation_id_;
    const size_t start_;
    size_t meta_end_ = 0;
    size_t attachment_start_ = 0;
    bool is_failed_ = false;
    bool is_dropped_ = false;
};

}  // namespace thetis
