// SPDX-License-Identifier: Apache-2.0
#include "exec/sink/mysql_rows.h"

#include <cstring>

#include "exec/sink/mysql_cells.h"

namespace thetis {

namespace {

constexpr size_t kHeaderBytes = kPacketHeaderBytes;
constexpr size_t kMaxPayload = 0xFFFFFF;

void write_header(char* out, size_t payload_bytes) {
    out[0] = static_cast<char>(payload_bytes & 0xFF);
    out[1] = static_cast<char>((payload_bytes >> 8) & 0xFF);
    out[2] = static_cast<char>((payload_bytes >> 16) & 0xFF);
    out[3] = 0;
}

// A payload of 16 MB or more: full packets, then one that is shorter (maybe empty).
void append_split(std::string_view payload, std::string& out) {
    while (true) {
        size_t size = std::min(payload.size(), kMaxPayload);
        char header[kHeaderBytes];
        write_header(header, size);
        out.append(header, kHeaderBytes);
        out.append(payload.substr(0, size));
        payload.remove_prefix(size);
        if (size < kMaxPayload) {
            return;
        }
    }
}

}  // namespace

void append_mysql_rows(const Batch& batch, bool binary, std::string& out) {
    uint32_t count = batch.num_selected();
    size_t num_columns = batch.columns.size();
    size_t prefix_bytes = binary ? binary_row_prefix_bytes(num_columns) : 0;
    std::vector<EncodedCells> cells(num_columns);
    std::vector<size_t> begins(count + 1, kHeaderBytes + prefix_bytes);
    for (size_t c = 0; c < num_columns; ++c) {
        if (binary) {
            encode_binary_cells(*batch.columns[c], batch, cells[c]);
        } else {
            encode_text_cells(*batch.columns[c], batch, cells[c]);
        }
        uint32_t previous = 0;
        for (uint32_t row = 0; row < count; ++row) {
            begins[row] += cells[c].ends[row] - previous;
            previous = cells[c].ends[row];
        }
    }

    // Sizes become positions; a row too long for one packet sends the batch through the splitting
    // path.
    size_t total = 0;
    bool has_long_row = false;
    for (uint32_t row = 0; row < count; ++row) {
        size_t size = begins[row];
        has_long_row |= size - kHeaderBytes >= kMaxPayload;
        begins[row] = total;
        total += size;
    }
    begins[count] = total;

    std::string split_buffer;
    std::string& target = has_long_row ? split_buffer : out;
    size_t base = target.size();
    target.resize(base + total);
    char* rows = target.data() + base;
    std::vector<size_t> cursors(count);
    for (uint32_t row = 0; row < count; ++row) {
        size_t payload = begins[row + 1] - begins[row] - kHeaderBytes;
        write_header(rows + begins[row], std::min(payload, kMaxPayload));
        std::memset(rows + begins[row] + kHeaderBytes, 0, prefix_bytes);
        cursors[row] = begins[row] + kHeaderBytes + prefix_bytes;
    }
    for (size_t c = 0; c < num_columns; ++c) {
        const char* bytes = cells[c].bytes.data();
        uint32_t previous = 0;
        for (uint32_t row = 0; row < count; ++row) {
            uint32_t end = cells[c].ends[row];
            std::memcpy(rows + cursors[row], bytes + previous, end - previous);
            cursors[row] += end - previous;
            previous = end;
            if (binary && cells[c].nulls[row] != 0) {
                rows[begins[row] + kHeaderBytes + 1 + (c + 2) / 8] |=
                    static_cast<char>(1 << ((c + 2) % 8));
            }
        }
    }
    if (has_long_row) {
        for (uint32_t row = 0; row < count; ++row) {
            std::string_view payload(
                rows + begins[row] + kHeaderBytes, begins[row + 1] - begins[row] - kHeaderBytes
            );
            append_split(payload, out);
        }
    }
}

void append_mysql_packet(char* packet, size_t size_bytes, std::string& out) {
    const size_t payload_bytes = size_bytes - kHeaderBytes;
    if (payload_bytes >= kMaxPayload) [[unlikely]] {
        append_split({packet + kHeaderBytes, payload_bytes}, out);
        return;
    }
    write_header(packet, payload_bytes);
    out.append(packet, size_bytes);
}

}  // namespace thetis
