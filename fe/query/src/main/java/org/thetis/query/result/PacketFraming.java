// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.result;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;

/** Frames payloads as MySQL packets with sequence byte zero, and takes such frames apart. */
final class PacketFraming {
    private static final int HEADER = 4;
    private static final int MAX_PART = 0xFFFFFF;

    private PacketFraming() {}

    static void append(ByteString.Output out, byte[] payload) {
        int offset = 0;
        int part;
        do {
            part = Math.min(MAX_PART, payload.length - offset);
            out.write(part);
            out.write(part >>> 8);
            out.write(part >>> 16);
            out.write(0);
            out.write(payload, offset, part);
            offset += part;
        } while (part == MAX_PART);
    }

    /** The payloads of a chunk of whole packets. */
    static List<byte[]> payloads(ByteString packets) {
        List<byte[]> payloads = new ArrayList<>();
        ByteString pending = ByteString.EMPTY;
        int offset = 0;
        while (offset + HEADER <= packets.size()) {
            int length = (packets.byteAt(offset) & 0xFF)
                    | (packets.byteAt(offset + 1) & 0xFF) << 8
                    | (packets.byteAt(offset + 2) & 0xFF) << 16;
            ByteString part = packets.substring(offset + HEADER, offset + HEADER + length);
            offset += HEADER + length;
            pending = pending.isEmpty() ? part : pending.concat(part);
            if (length < MAX_PART) {
                payloads.add(pending.toByteArray());
                pending = ByteString.EMPTY;
            }
        }
        return payloads;
    }
}
