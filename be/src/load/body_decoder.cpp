// SPDX-License-Identifier: Apache-2.0
#include "load/body_decoder.h"

#include <vector>

#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

namespace thetis {

namespace {

constexpr size_t kPieceBytes = 256 << 10;

Status broken(std::string_view kind, std::string_view why) {
    return Status::error(ErrorCode::kInvalidArgument, "the body is not valid {}: {}", kind, why);
}

Status incomplete(std::string_view kind) {
    return Status::error(
        ErrorCode::kInvalidArgument, "the {} stream of the body is not complete", kind
    );
}

class PlainDecoder final : public BodyDecoder {
public:
    Status decode(std::string_view bytes, const Output& output) override { return output(bytes); }

    Status finish() override { return {}; }
};

/// gzip (members may follow each other) and zlib, told apart by their headers.
class ZlibDecoder final : public BodyDecoder {
public:
    ZlibDecoder() : piece_(kPieceBytes) {
        is_ready_ = inflateInit2(&stream_, MAX_WBITS + 32) == Z_OK;
    }

    ~ZlibDecoder() override { inflateEnd(&stream_); }

    ZlibDecoder(const ZlibDecoder&) = delete;
    ZlibDecoder& operator=(const ZlibDecoder&) = delete;

    Status decode(std::string_view bytes, const Output& output) override {
        if (!is_ready_) {
            return Status::error(ErrorCode::kInternal, "zlib could not be set up");
        }
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
        for (;;) {
            if (at_end_ && stream_.avail_in > 0) {
                inflateReset(&stream_);
                at_end_ = false;
            }
            stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
            stream_.avail_out = static_cast<uInt>(piece_.size());
            int result = at_end_ ? Z_BUF_ERROR : inflate(&stream_, Z_NO_FLUSH);
            if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
                return broken("gzip", stream_.msg == nullptr ? "bad data" : stream_.msg);
            }
            at_end_ = at_end_ || result == Z_STREAM_END;
            size_t made = piece_.size() - stream_.avail_out;
            if (made > 0) {
                RETURN_IF_ERROR(output({piece_.data(), made}));
            }
            if (stream_.avail_in == 0 && stream_.avail_out > 0) {
                return {};
            }
        }
    }

    Status finish() override { return at_end_ ? Status() : incomplete("gzip"); }

private:
    z_stream stream_{};
    bool is_ready_ = false;
    bool at_end_ = false;
    std::vector<char> piece_;
};

class Lz4Decoder final : public BodyDecoder {
public:
    Lz4Decoder() : piece_(kPieceBytes) {
        if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0) {
            context_ = nullptr;
        }
    }

    ~Lz4Decoder() override { LZ4F_freeDecompressionContext(context_); }

    Lz4Decoder(const Lz4Decoder&) = delete;
    Lz4Decoder& operator=(const Lz4Decoder&) = delete;

    Status decode(std::string_view bytes, const Output& output) override {
        if (context_ == nullptr) {
            return Status::error(ErrorCode::kInternal, "lz4 could not be set up");
        }
        size_t made = piece_.size();
        // Output may be pending inside the context after all input was taken.
        while (!bytes.empty() || made == piece_.size()) {
            size_t taken = bytes.size();
            made = piece_.size();
            expected_ =
                LZ4F_decompress(context_, piece_.data(), &made, bytes.data(), &taken, nullptr);
            if (LZ4F_isError(expected_) != 0) {
                return broken("lz4", LZ4F_getErrorName(expected_));
            }
            bytes.remove_prefix(taken);
            if (made > 0) {
                RETURN_IF_ERROR(output({piece_.data(), made}));
            } else if (taken == 0) {
                break;
            }
        }
        return {};
    }

    Status finish() override { return expected_ == 0 ? Status() : incomplete("lz4"); }

private:
    LZ4F_dctx* context_ = nullptr;
    size_t expected_ = 1;
    std::vector<char> piece_;
};

class ZstdDecoder final : public BodyDecoder {
public:
    ZstdDecoder() : context_(ZSTD_createDCtx()), piece_(kPieceBytes) {}

    ~ZstdDecoder() override { ZSTD_freeDCtx(context_); }

    ZstdDecoder(const ZstdDecoder&) = delete;
    ZstdDecoder& operator=(const ZstdDecoder&) = delete;

    Status decode(std::string_view bytes, const Output& output) override {
        if (context_ == nullptr) {
            return Status::error(ErrorCode::kInternal, "zstd could not be set up");
        }
        ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
        for (;;) {
            ZSTD_outBuffer made{piece_.data(), piece_.size(), 0};
            expected_ = ZSTD_decompressStream(context_, &made, &input);
            if (ZSTD_isError(expected_) != 0) {
                return broken("zstd", ZSTD_getErrorName(expected_));
            }
            if (made.pos > 0) {
                RETURN_IF_ERROR(output({piece_.data(), made.pos}));
            }
            if (input.pos == input.size && made.pos < made.size) {
                return {};
            }
        }
    }

    Status finish() override { return expected_ == 0 ? Status() : incomplete("zstd"); }

private:
    ZSTD_DCtx* context_;
    size_t expected_ = 1;
    std::vector<char> piece_;
};

}  // namespace

Result<std::unique_ptr<BodyDecoder>> make_body_decoder(std::string_view compress_type) {
    std::string kind(compress_type);
    std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    if (kind.empty() || kind == "plain" || kind == "none") {
        return std::unique_ptr<BodyDecoder>(std::make_unique<PlainDecoder>());
    }
    if (kind == "gz" || kind == "gzip" || kind == "deflate") {
        return std::unique_ptr<BodyDecoder>(std::make_unique<ZlibDecoder>());
    }
    if (kind == "lz4") {
        return std::unique_ptr<BodyDecoder>(std::make_unique<Lz4Decoder>());
    }
    if (kind == "zstd" || kind == "zst") {
        return std::unique_ptr<BodyDecoder>(std::make_unique<ZstdDecoder>());
    }
    return Status::error(
        ErrorCode::kNotSupported, "compress_type {} is not supported", compress_type
    );
}

}  // namespace thetis
