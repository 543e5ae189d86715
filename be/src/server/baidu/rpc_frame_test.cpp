// SPDX-License-Identifier: Apache-2.0
#include "server/baidu/rpc_frame.h"

#include <random>

#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>

#include "baidu_rpc.pb.h"

namespace thetis {
namespace {

/// What the generated class says of a head is what ours says, as far as ours says anything.
void expect_same(const std::string& bytes, bool must_accept) {
    RpcRequestHead head;
    const bool is_read = read_request_head(bytes, head);
    pb::RpcMeta meta;
    const bool is_parsed = meta.ParsePartialFromString(bytes) && meta.IsInitialized();
    if (must_accept) {
        ASSERT_TRUE(is_read);
    }
    if (!is_read) {
        return;
    }
    ASSERT_TRUE(is_parsed);
    ASSERT_TRUE(meta.has_request());
    EXPECT_EQ(head.service, meta.request().service_name());
    EXPECT_EQ(head.method, meta.request().method_name());
    EXPECT_EQ(head.correlation_id, meta.correlation_id());
    EXPECT_EQ(head.compress_type, meta.compress_type());
    EXPECT_EQ(head.attachment_size, meta.attachment_size());
}

pb::RpcMeta random_meta(std::mt19937_64& random) {
    pb::RpcMeta meta;
    auto& request = *meta.mutable_request();
    request.set_service_name(std::string(random() % 200, 's'));
    request.set_method_name(std::string(random() % 20, 'm'));
    auto number = [&random] { return static_cast<int64_t>(random() >> random() % 64); };
    if (random() % 2 == 0) {
        request.set_log_id(number());
        request.set_trace_id(-number());
    }
    if (random() % 2 == 0) {
        request.set_request_id("request");
        request.set_timeout_ms(static_cast<int32_t>(number()));
    }
    if (random() % 2 == 0) {
        meta.set_compress_type(static_cast<int32_t>(number()));
    }
    if (random() % 2 == 0) {
        meta.set_correlation_id(random() % 2 == 0 ? number() : -number());
    }
    if (random() % 2 == 0) {
        meta.set_attachment_size(static_cast<int32_t>(number()));
    }
    if (random() % 4 == 0) {
        meta.mutable_response()->set_error_code(3);
    }
    return meta;
}

TEST(RpcFrame, ReadsHeadsAsTheGeneratedClassDoes) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    google::protobuf::LogSilencer quiet;  // Of names that are not UTF-8.
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = random_meta(random).SerializeAsString();
        expect_same(bytes, true);
        // Two heads one behind the other merge.
        expect_same(bytes + random_meta(random).SerializeAsString(), true);
        for (auto left = 1 + random() % 3; left > 0; --left) {
            bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        expect_same(bytes, false);
        expect_same(bytes.substr(0, random() % bytes.size()), false);
        if (HasFailure()) {
            return;
        }
    }
}

TEST(RpcFrame, RefusesHeadsThatAreNotARequests) {
    pb::RpcMeta meta;
    RpcRequestHead head;
    EXPECT_FALSE(read_request_head("", head));
    meta.mutable_response()->set_error_code(0);
    EXPECT_FALSE(read_request_head(meta.SerializeAsString(), head = {}));
    meta.mutable_request()->set_service_name("only");
    EXPECT_FALSE(read_request_head(meta.SerializePartialAsString(), head = {}));
    meta.mutable_request()->set_method_name("both");
    EXPECT_TRUE(read_request_head(meta.SerializeAsString(), head = {}));
    EXPECT_FALSE(read_request_head(meta.SerializeAsString() + "\x3b", head = {})) << "a group";
}

TEST(RpcFrame, ReadsUnknownFields) {
    pb::RpcMeta meta;
    meta.mutable_request()->set_service_name("s");
    meta.mutable_request()->set_method_name("m");
    meta.set_correlation_id(9);
    // Fields 100 to 103 of each wire type; and a known number with an unknown type.
    std::string bytes(
        "\xa0\x06\x05\xa9\x06"
        "12345678"
        "\xb2\x06\x03"
        "abc"
        "\xbd\x06"
        "1234"
        "\x22\x01x",
        28
    );
    expect_same(bytes + meta.SerializeAsString(), true);
    expect_same(meta.SerializeAsString() + bytes, true);
}

TEST(RpcFrame, ChecksSizes) {
    RpcFrameSizes sizes;
    const std::string good("PRPC\0\0\1\2\0\0\0\3", 12);
    EXPECT_EQ(read_frame_sizes(good, 1000, sizes), FrameCheck::kGood);
    EXPECT_EQ(sizes.body, 258U);
    EXPECT_EQ(sizes.meta, 3U);
    EXPECT_EQ(read_frame_sizes(good, 257, sizes), FrameCheck::kBad);
    for (size_t size = 0; size < good.size(); ++size) {
        EXPECT_EQ(read_frame_sizes(good.substr(0, size), 1000, sizes), FrameCheck::kIncomplete);
    }
    EXPECT_EQ(read_frame_sizes("PRX", 1000, sizes), FrameCheck::kBad);
    EXPECT_EQ(
        read_frame_sizes(std::string("PRPC\0\0\0\2\0\0\0\3", 12), 1000, sizes), FrameCheck::kBad
    );
}

TEST(RpcFrame, WritesRepliesOneBehindTheOther) {
    std::string bytes = "before";
    {
        RpcReplyFrame reply(bytes, -5);
        reply.bytes() += "message";
        reply.begin_attachment();
        reply.bytes() += std::string(300, 'a');
        reply.finish();
    }
    const size_t first = bytes.size();
    {
        RpcReplyFrame reply(bytes, 6);
        reply.bytes() += "taken back";
        reply.fail(RpcError::kNoMethod, std::string(10'000, 'e'));
        reply.finish();
    }
    const size_t second = bytes.size();
    {
        RpcReplyFrame reply(bytes, 7);
        reply.bytes() += "dropped";
        reply.drop();
        reply.finish();
    }
    EXPECT_EQ(bytes.size(), second);

    auto meta_of = [&](size_t from, size_t to, size_t& body_at) {
        RpcFrameSizes sizes;
        auto frame = std::string_view(bytes).substr(from, to - from);
        EXPECT_EQ(read_frame_sizes(frame, 1 << 20, sizes), FrameCheck::kGood);
        EXPECT_EQ(sizes.body + kRpcHeaderBytes, frame.size());
        pb::RpcMeta meta;
        EXPECT_TRUE(
            meta.ParseFromArray(frame.data() + kRpcHeaderBytes, static_cast<int>(sizes.meta))
        );
        body_at = from + kRpcHeaderBytes + sizes.meta;
        return meta;
    };
    size_t body = 0;
    pb::RpcMeta meta = meta_of(6, first, body);
    EXPECT_TRUE(meta.has_response());
    EXPECT_EQ(meta.response().error_code(), 0);
    EXPECT_EQ(meta.correlation_id(), -5);
    EXPECT_EQ(meta.attachment_size(), 300);
    EXPECT_EQ(bytes.substr(body, first - body), "message" + std::string(300, 'a'));
    meta = meta_of(first, second, body);
    EXPECT_EQ(meta.response().error_code(), 1002);
    EXPECT_EQ(meta.response().error_text(), std::string(4096, 'e'));
    EXPECT_EQ(meta.correlation_id(), 6);
    EXPECT_EQ(body, second);
}

}  // namespace
}  // namespace thetis
