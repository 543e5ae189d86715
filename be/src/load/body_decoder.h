// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "base/status.h"

namespace thetis {

/// Decompresses a body that arrives in pieces. For one thread.
class BodyDecoder {
public:
    using Output = std::function<Status(std::string_view)>;

    virtual ~BodyDecoder() = default;

    /// Gives what `bytes` decode to, in pieces of bounded size; stops at the output's first error.
    virtual Status decode(std::string_view bytes, const Output& output) = 0;
    /// Fails when the compressed stream is not complete.
    virtual Status finish() = 0;
};

/// For the compress_type header in any case: empty (none), gz, deflate, lz4 (frames), zstd.
/// not_supported names others.
Result<std::unique_ptr<BodyDecoder>> make_body_decoder(std::string_view compress_type);

}  // namespace thetis
