// SPDX-License-Identifier: Apache-2.0
#include "server/baidu/rpc_frame.h"

#include <algorithm>
#include <climits>
#include <cstring>

namespace thetis {

namespace {

// Field numbers of baidu_rpc.proto.
enum MetaField : uint32_t {
    kRequest = 1,
    kResponse = 2,
    kCompressType = 3,
    kCorrelationId = 4,
    kAttachmentSize = 5,
};

enum RequestField : uint32_t { kServiceName = 1, kMethodName = 2 };

enum ResponseField : uint32_t { kErrorCode = 1, kErrorText = 2 };

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

constexpr size_t kMaxVarintBytes = 10;
constexpr size_t kMaxTagBytes = 5;
// Wide enough for any size, so that the attachment's can be filled in once it is known.
constexpr size_t kPaddedSizeBytes = 5;
constexpr size_t kMaxErrorText = 4096;

/// Reads protobuf's wire format. A false answer means bytes no parser may accept.
class WireReader {
public:
    explicit WireReader(std::string_view bytes)
        : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    bool is_at_end() const { return at_ == end_; }

    bool read_varint(uint64_t& value, size_t max_bytes = kMaxVarintBytes) {
        value = 0;
        for (size_t i = 0; i < max_bytes && at_ != end_; ++i) {
            auto byte = static_cast<uint8_t>(*at_++);
            value |= static_cast<uint64_t>(byte & 0x7FU) << (7 * i);
            if ((byte & 0x80U) == 0) {
                return true;
            }
        }
        return false;
    }

    bool read_tag(uint32_t& field, uint32_t& type) {
        uint64_t tag = 0;
        if (!read_varint(tag, kMaxTagBytes) || tag > UINT32_MAX) {
            return false;
        }
        field = static_cast<uint32_t>(tag >> 3U);
        type = static_cast<uint32_t>(tag & 7U);
        return field != 0;
    }

    bool read_bytes(std::string_view& value) {
        uint64_t size = 0;
        if (!read_varint(size, kPaddedSizeBytes) || size > static_cast<uint64_t>(end_ - at_)) {
            return false;
        }
        value = {at_, static_cast<size_t>(size)};
        at_ += size;
        return true;
    }

    bool skip(uint32_t type) {
        uint64_t number = 0;
        std::string_view bytes;
        switch (type) {
            case kVarint:
                return read_varint(number);
            case kFixed64:
                return skip_bytes(8);
            case kBytes:
                return read_bytes(bytes);
            case kFixed32:
                return skip_bytes(4);
            default:
                return false;
        }
    }

private:
    bool skip_bytes(ptrdiff_t count) {
        if (end_ - at_ < count) {
            return false;
        }
        at_ += count;
        return true;
    }

    const char* at_;
    const char* end_;
};

/// The fields of RpcRequestMeta that the other side of a call depends on. log_id and the trace ids
/// are read over.
bool read_request(std::string_view bytes, RpcRequestHead& head) {
    WireReader reader(bytes);
    while (!reader.is_at_end()) {
        uint32_t field = 0;
        uint32_t type = 0;
        if (!reader.read_tag(field, type)) {
            return false;
        }
        if (field == kServiceName && type == kBytes) {
            head.has_service = true;
            if (!reader.read_bytes(head.service)) {
                return false;
            }
        } else if (field == kMethodName && type == kBytes) {
            head.has_method = true;
            if (!reader.read_bytes(head.method)) {
                return false;
            }
        } else if (!reader.skip(type)) {
            return false;
        }
    }
    return true;
}

/// RpcResponseMeta has no business in a request; only its form is checked.
bool is_message(std::string_view bytes) {
    WireReader reader(bytes);
    while (!reader.is_at_end()) {
        uint32_t field = 0;
        uint32_t type = 0;
        if (!reader.read_tag(field, type) || !reader.skip(type)) {
            return false;
        }
    }
    return true;
}

uint32_t read_big_endian(const char* at) {
    uint32_t value = 0;
    std::memcpy(&value, at, sizeof(value));
    return __builtin_bswap32(value);
}

void write_big_endian(char* at, uint32_t value) {
    value = __builtin_bswap32(value);
    std::memcpy(at, &value, sizeof(value));
}

void append_varint(std::string& output, uint64_t value) {
    while (value >= 0x80U) {
        output.push_back(static_cast<char>(value | 0x80U));
        value >>= 7U;
    }
    output.push_back(static_cast<char>(value));
}

void append_tag(std::string& output, uint32_t field, uint32_t type) {
    output.push_back(static_cast<char>(field << 3U | type));
}

/// The longest start of at most `limit` bytes that does not cut a UTF-8 character.
std::string_view clip(std::string_view text, size_t limit) {
    if (text.size() <= limit) {
        return text;
    }
    while (limit > 0 && (static_cast<uint8_t>(text[limit]) & 0xC0U) == 0x80U) {
        --limit;
    }
    return text.substr(0, limit);
}

}  // namespace

FrameCheck read_frame_sizes(std::string_view bytes, uint64_t max_body_bytes, RpcFrameSizes& sizes) {
    size_t known = std::min(bytes.size(), kRpcMagic.size());
    if (bytes.substr(0, known) != kRpcMagic.substr(0, known)) {
        return FrameCheck::kBad;
    }
    if (bytes.size() < kRpcHeaderBytes) {
        return FrameCheck::kIncomplete;
    }
    sizes.body = read_big_endian(bytes.data() + 4);
    sizes.meta = read_big_endian(bytes.data() + 8);
    return sizes.body > max_body_bytes || sizes.meta > sizes.body ? FrameCheck::kBad
                                                                  : FrameCheck::kGood;
}

bool read_request_head(std::string_view meta, RpcRequestHead& head) {
    WireReader reader(meta);
    while (!reader.is_at_end()) {
        uint32_t field = 0;
        uint32_t type = 0;
        if (!reader.read_tag(field, type)) {
            return false;
        }
        if (type == kVarint) {
            uint64_t value = 0;
            if (!reader.read_varint(value)) {
                return false;
            }
            if (field == kCorrelationId) {
                head.correlation_id = static_cast<int64_t>(value);
            } else if (field == kAttachmentSize) {
                head.attachment_size = static_cast<int32_t>(value);
            } else if (field == kCompressType) {
                head.compress_type = static_cast<int32_t>(value);
            }
        } else if (type == kBytes) {
            std::string_view bytes;
            if (!reader.read_bytes(bytes)) {
                return false;
            }
            if (field == kRequest) {
                head.has_request = true;
                if (!read_request(bytes, head)) {
                    return false;
                }
            } else if (field == kResponse && !is_message(bytes)) {
                return false;
            }
        } else if (!reader.skip(type)) {
            return false;
        }
    }
    return head.has_request && head.has_service && head.has_method;
}

RpcReplyFrame::RpcReplyFrame(std::string& output, int64_t correlation_id)
    : output_(output), correlation_id_(correlation_id), start_(output.size()) {
    output_.append(kRpcMagic);
    output_.append(8, '\0');
    append_tag(output_, kResponse, kBytes);
    output_.push_back('\0');
    append_tag(output_, kCorrelationId, kVarint);
    append_varint(output_, static_cast<uint64_t>(correlation_id));
    append_tag(output_, kAttachmentSize, kVarint);
    output_.append("\x80\x80\x80\x80\0", kPaddedSizeBytes);
    meta_end_ = output_.size();
    attachment_start_ = std::string::npos;
}

void RpcReplyFrame::fail(RpcError error, std::string_view text) {
    text = clip(text, kMaxErrorText);
    std::string response;
    append_tag(response, kErrorCode, kVarint);
    append_varint(response, static_cast<uint64_t>(error));
    append_tag(response, kErrorText, kBytes);
    append_varint(response, text.size());
    response.append(text);

    output_.resize(start_ + kRpcHeaderBytes);
    append_tag(output_, kResponse, kBytes);
    append_varint(output_, response.size());
    output_.append(response);
    append_tag(output_, kCorrelationId, kVarint);
    append_varint(output_, static_cast<uint64_t>(correlation_id_));
    meta_end_ = output_.size();
    attachment_start_ = std::string::npos;
    is_failed_ = true;
}

void RpcReplyFrame::drop() {
    output_.resize(start_);
    is_dropped_ = true;
}

void RpcReplyFrame::finish() {
    if (is_dropped_) {
        return;
    }
    // A Java client holds sizes in ints.
    if (output_.size() - start_ - kRpcHeaderBytes > INT_MAX) {
        fail(RpcError::kBadRequest, "the reply is larger than a frame may be");
    }
    if (!is_failed_ && attachment_start_ != std::string::npos) {
        auto size = output_.size() - attachment_start_;
        char* at = output_.data() + meta_end_ - kPaddedSizeBytes;
        for (size_t i = 0; i < kPaddedSizeBytes; ++i, size >>= 7U) {
            at[i] = static_cast<char>((size & 0x7FU) | (i + 1 < kPaddedSizeBytes ? 0x80U : 0U));
        }
    }
    char* header = output_.data() + start_;
    auto body_size = output_.size() - start_ - kRpcHeaderBytes;
    write_big_endian(header + 4, static_cast<uint32_t>(body_size));
    write_big_endian(header + 8, static_cast<uint32_t>(meta_end_ - start_ - kRpcHeaderBytes));
}

}  // namespace thetis
