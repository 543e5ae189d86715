// SPDX-License-Identifier: Apache-2.0
#include "io/codec/codec.h"

#include <algorithm>
#include <cctype>
#include <climits>

#include <lz4.h>
#include <zlib.h>
#include <zstd.h>

namespace thetis {

namespace {

constexpr int kZstdLevel = 3;

Status too_large(size_t size_bytes) {
    return Status::error(
        ErrorCode::kInvalidArgument, "Cannot compress {} bytes at once", size_bytes
    );
}

Status does_not_fit(Compression compression, size_t input_bytes, size_t output_bytes) {
    return Status::error(
        ErrorCode::kCorruption,
        "{} bytes do not hold {} bytes compressed with {}",
        input_bytes,
        output_bytes,
        compression_name(compression)
    );
}

}  // namespace

Result<Compression> parse_compression(std::string_view name) {
    std::string upper(name);
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    for (Compression compression :
         {Compression::kNone, Compression::kLz4, Compression::kZstd, Compression::kZlib}) {
        if (upper == compression_name(compression)) {
            return compression;
        }
    }
    if (upper == "NO_COMPRESSION") {
        return Compression::kNone;
    }
    if (upper == "LZ4F" || upper == "LZ4HC" || upper == "DEFAULT_COMPRESSION" || upper.empty()) {
        return Compression::kLz4;
    }
    return Status::error(ErrorCode::kInvalidArgument, "Unknown compression: {}", name);
}

std::string_view compression_name(Compression compression) {
    switch (compression) {
        case Compression::kNone:
            return "NONE";
        case Compression::kLz4:
            return "LZ4";
        case Compression::kZstd:
            return "ZSTD";
        case Compression::kZlib:
            return "ZLIB";
    }
    return "UNKNOWN";
}

Status compress(
    Compression compression, std::span<const uint8_t> input, std::vector<uint8_t>& output
) {
    const size_t begin = output.size();
    switch (compression) {
        case Compression::kNone:
            output.insert(output.end(), input.begin(), input.end());
            return {};
        case Compression::kLz4: {
            if (input.size() > LZ4_MAX_INPUT_SIZE) {
                return too_large(input.size());
            }
            const int bound = LZ4_compressBound(static_cast<int>(input.size()));
            output.resize(begin + static_cast<size_t>(bound));
            const int size = LZ4_compress_default(
                reinterpret_cast<const char*>(input.data()),
                reinterpret_cast<char*>(output.data() + begin),
                static_cast<int>(input.size()),
                bound
            );
            output.resize(begin + static_cast<size_t>(size));
            return size > 0 ? Status() : too_large(input.size());
        }
        case Compression::kZstd: {
            output.resize(begin + ZSTD_compressBound(input.size()));
            const size_t size = ZSTD_compress(
                output.data() + begin, output.size() - begin, input.data(), input.size(), kZstdLevel
            );
            if (ZSTD_isError(size) != 0) {
                output.resize(begin);
                return Status::error(
                    ErrorCode::kInternal, "Zstandard failed: {}", ZSTD_getErrorName(size)
                );
            }
            output.resize(begin + size);
            return {};
        }
        case Compression::kZlib: {
            uLongf size = compressBound(input.size());
            output.resize(begin + size);
            const int result = ::compress(output.data() + begin, &size, input.data(), input.size());
            output.resize(begin + (result == Z_OK ? size : 0));
            return result == Z_OK
                       ? Status()
                       : Status::error(ErrorCode::kInternal, "zlib failed with {}", result);
        }
    }
    return Status::error(
        ErrorCode::kNotSupported, "Unknown compression {}", static_cast<int>(compression)
    );
}

Status decompress(
    Compression compression, std::span<const uint8_t> input, std::span<uint8_t> output
) {
    switch (compression) {
        case Compression::kNone:
            if (input.size() != output.size()) {
                return does_not_fit(compression, input.size(), output.size());
            }
            std::copy(input.begin(), input.end(), output.begin());
            return {};
        case Compression::kLz4: {
            if (input.size() > INT_MAX || output.size() > INT_MAX) {
                return does_not_fit(compression, input.size(), output.size());
            }
            const int size = LZ4_decompress_safe(
                reinterpret_cast<const char*>(input.data()),
                reinterpret_cast<char*>(output.data()),
                static_cast<int>(input.size()),
                static_cast<int>(output.size())
            );
            return size >= 0 && static_cast<size_t>(size) == output.size()
                       ? Status()
                       : does_not_fit(compression, input.size(), output.size());
        }
        case Compression::kZstd: {
            const size_t size =
                ZSTD_decompress(output.data(), output.size(), input.data(), input.size());
            return ZSTD_isError(size) == 0 && size == output.size()
                       ? Status()
                       : does_not_fit(compression, input.size(), output.size());
        }
        case Compression::kZlib: {
            uLongf size = output.size();
            const int result = ::uncompress(output.data(), &size, input.data(), input.size());
            return result == Z_OK && size == output.size()
                       ? Status()
                       : does_not_fit(compression, input.size(), output.size());
        }
    }
    return Status::error(
        ErrorCode::kCorruption, "Unknown compression {}", static_cast<int>(compression)
    );
}

}  // namespace thetis
