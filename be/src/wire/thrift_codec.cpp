// SPDX-License-Identifier: Apache-2.0
#include "wire/thrift_codec.h"

#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include "backend_service_types.h"
#include "descriptors_types.h"
#include "lookup_types.h"
#include "plan_types.h"

namespace thetis {

namespace {

using apache::thrift::TConfiguration;
using apache::thrift::TException;
using apache::thrift::protocol::TCompactProtocolT;
using apache::thrift::transport::TMemoryBuffer;

constexpr int kMaxMessageBytes = 256 << 20;
// One level of an expression is one struct level of Thrift, and a plan nests besides; a level costs
// well under 1 KiB of stack.
constexpr int kMaxNesting = 2000;

template <typename T>
Status decode(std::string_view bytes, T& value) {
    if (bytes.size() > static_cast<size_t>(kMaxMessageBytes)) {
        return Status::error(
            ErrorCode::kCorruption,
            "message of {} bytes is larger than {} bytes",
            bytes.size(),
            kMaxMessageBytes
        );
    }
    try {
        auto config =
            std::make_shared<TConfiguration>(kMaxMessageBytes, kMaxMessageBytes, kMaxNesting);
        auto* data = reinterpret_cast<uint8_t*>(const_cast<char*>(bytes.data())
        );  // Observed only, never written.
        auto buffer = std::make_shared<TMemoryBuffer>(
            data, static_cast<uint32_t>(bytes.size()), TMemoryBuffer::OBSERVE, config
        );
        // No string or container can have more elements than the message has bytes.
        int32_t limit = static_cast<int32_t>(bytes.size()) + 1;
        TCompactProtocolT<TMemoryBuffer> protocol(buffer, limit, limit);
        value.read(&protocol);
        if (buffer->available_read() != 0) {
            return Status::error(
                ErrorCode::kCorruption,
                "{} bytes after the end of the message",
                buffer->available_read()
            );
        }
    } catch (const TException& e) {
        return Status::error(ErrorCode::kCorruption, "malformed message: {}", e.what());
    } catch (const std::exception& e) {
        return Status::error(ErrorCode::kCorruption, "unreadable message: {}", e.what());
    }
    return {};
}

template <typename T>
Result<std::string> encode(const T& value) {
    try {
        auto config =
            std::make_shared<TConfiguration>(kMaxMessageBytes, kMaxMessageBytes, kMaxNesting);
        auto buffer = std::make_shared<TMemoryBuffer>(config);
        TCompactProtocolT<TMemoryBuffer> protocol(buffer);
        value.write(&protocol);
        return buffer->getBufferAsString();
    } catch (const std::exception& e) {
        return Status::error(ErrorCode::kInternal, "message cannot be encoded: {}", e.what());
    }
}

}  // namespace

Status decode_compact(std::string_view bytes, wire::ExecPlan& plan) {
    return decode(bytes, plan).with_context("execution plan");
}

Status decode_compact(std::string_view bytes, wire::LookupPlan& plan) {
    return decode(bytes, plan).with_context("look-up plan");
}

Status decode_compact(std::string_view bytes, wire::TabletSchemaDesc& schema) {
    return decode(bytes, schema).with_context("tablet schema");
}

Status decode_compact(std::string_view bytes, wire::DeletePredicate& predicate) {
    return decode(bytes, predicate).with_context("delete predicate");
}

Result<std::string> encode_compact(const wire::ExecPlan& plan) {
    return encode(plan);
}

Result<std::string> encode_compact(const wire::LookupPlan& plan) {
    return encode(plan);
}

Result<std::string> encode_compact(const wire::TabletSchemaDesc& schema) {
    return encode(schema);
}

Result<std::string> encode_compact(const wire::DeletePredicate& predicate) {
    return encode(predicate);
}

}  // namespace thetis
