// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/page_format.h"

#include "base/hash.h"

namespace thetis {

namespace {

constexpr uint32_t kMaxRawBytes = uint32_t{1} << 31;
constexpr size_t kMinCompressedBytes = 64;

uint32_t page_checksum(const PageHeader& header, std::span<const uint8_t> stored) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&header);
    const uint32_t head =
        crc32c(0, bytes + sizeof(header.checksum), sizeof(header) - sizeof(header.checksum));
    return crc32c(head, stored.data(), stored.size());
}

}  // namespace

Status append_page(
    PageHeader header,
    Compression compression,
    std::span<const uint8_t> raw,
    std::vector<uint8_t>& output
) {
    if (raw.size() > kMaxRawBytes) {
        return Status::error(
            ErrorCode::kInvalidArgument, "A page of {} bytes is too large", raw.size()
        );
    }
    header.raw_bytes = static_cast<uint32_t>(raw.size());
    header.compression = Compression::kNone;
    std::span<const uint8_t> stored = raw;
    std::vector<uint8_t> compressed;
    if (compression != Compression::kNone && raw.size() >= kMinCompressedBytes) {
        RETURN_IF_ERROR(compress(compression, raw, compressed));
        if (compressed.size() <= raw.size() / 10 * 9) {
            stored = compressed;
            header.compression = compression;
        }
    }
    header.stored_bytes = static_cast<uint32_t>(stored.size());
    header.checksum = page_checksum(header, stored);
    const auto* bytes = reinterpret_cast<const uint8_t*>(&header);
    output.insert(output.end(), bytes, bytes + sizeof(header));
    output.insert(output.end(), stored.begin(), stored.end());
    return {};
}

Result<BufferPtr> read_page_bytes(
    const RandomAccessFile& file,
    uint64_t offset,
    uint32_t size_bytes,
    PageKind kind,
    int32_t column_unique_id,
    uint32_t page_number,
    PageHeader& header
) {
    const auto corrupt = [&](std::string_view what) {
        return Status::error(
            ErrorCode::kCorruption,
            "{} in page of {} bytes at offset {} of {}",
            what,
            size_bytes,
            offset,
            file.path()
        );
    };
    if (size_bytes < sizeof(PageHeader) || offset > file.size() ||
        size_bytes > file.size() - offset) {
        return corrupt("Impossible position");
    }
    std::shared_ptr<Buffer> bytes = Buffer::allocate(size_bytes);
    RETURN_IF_ERROR(file.read(offset, {bytes->data(), size_bytes}));
    std::memcpy(&header, bytes->data(), sizeof(header));
    const std::span<const uint8_t> stored(
        bytes->data() + sizeof(header), size_bytes - sizeof(header)
    );
    if (page_checksum(header, stored) != header.checksum) {
        return corrupt("Checksum mismatch");
    }
    if (header.kind != kind &&
        !(kind == PageKind::kData && header.kind == PageKind::kDictionaryCodes)) {
        return corrupt("Unexpected kind of page");
    }
    if (header.column_unique_id != column_unique_id || header.page_number != page_number) {
        return corrupt("Another page");
    }
    const size_t validity_bytes =
        header.has_validity != 0 ? (static_cast<size_t>(header.num_rows) + 63) / 64 * 8 : 0;
    if (header.stored_bytes != stored.size() || header.raw_bytes > kMaxRawBytes ||
        header.raw_bytes < validity_bytes) {
        return corrupt("Wrong sizes");
    }
    std::shared_ptr<Buffer> raw = Buffer::allocate(header.raw_bytes);
    Status status = decompress(header.compression, stored, {raw->data(), header.raw_bytes});
    if (!status.ok()) {
        return status.with_context("Page at offset {} of {}", offset, file.path());
    }
    return BufferPtr(std::move(raw));
}

}  // namespace thetis
