// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** Reads and writes the MySQL protocol's basic values. Reading past the end is a malformed-packet error, never an index error. */
final class ProtocolBytes {
    private ProtocolBytes() {}

    static void writeLengthEncoded(ByteBuf out, long value) {
        if (value < 251) {
            out.writeByte((int) value);
        } else if (value < 1L << 16) {
            out.writeByte(0xFC).writeShortLE((int) value);
        } else if (value < 1L << 24) {
            out.writeByte(0xFD).writeMediumLE((int) value);
        } else {
            out.writeByte(0xFE).writeLongLE(value);
        }
    }

    static void writeLengthEncoded(ByteBuf out, byte[] bytes) {
        writeLengthEncoded(out, bytes.length);
        out.writeBytes(bytes);
    }

    static void writeLengthEncoded(ByteBuf out, String text) {
        writeLengthEncoded(out, text.getBytes(StandardCharsets.UTF_8));
    }

    static void writeNulTerminated(ByteBuf out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8)).writeByte(0);
    }

    static long readLengthEncoded(ByteBuf in) {
        need(in, 1);
        int first = in.readUnsignedByte();
        return switch (first) {
            case 0xFC -> {
                need(in, 2);
                yield in.readUnsignedShortLE();
            }
            case 0xFD -> {
                need(in, 3);
                yield in.readUnsignedMediumLE();
            }
            case 0xFE -> {
                need(in, 8);
                yield in.readLongLE();
            }
            case 0xFB, 0xFF -> throw malformed();
            default -> first;
        };
    }

    static byte[] readLengthEncodedBytes(ByteBuf in) {
        long length = readLengthEncoded(in);
        if (length < 0 || length > in.readableBytes()) {
            throw malformed();
        }
        return readBytes(in, (int) length);
    }

    static byte[] readBytes(ByteBuf in, int length) {
        need(in, length);
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    /** Text up to a NUL; the NUL is consumed. Without one the rest of the packet is the text. */
    static String readNulTerminated(ByteBuf in) {
        int length = in.bytesBefore((byte) 0);
        boolean terminated = length >= 0;
        byte[] bytes = readBytes(in, terminated ? length : in.readableBytes());
        if (terminated) {
            in.skipBytes(1);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static String readRemaining(ByteBuf in) {
        return new String(readBytes(in, in.readableBytes()), StandardCharsets.UTF_8);
    }

    static int readUnsignedByte(ByteBuf in) {
        need(in, 1);
        return in.readUnsignedByte();
    }

    static int readUnsignedShort(ByteBuf in) {
        need(in, 2);
        return in.readUnsignedShortLE();
    }

    static int readInt(ByteBuf in) {
        need(in, 4);
        return in.readIntLE();
    }

    static long readLong(ByteBuf in) {
        need(in, 8);
        return in.readLongLE();
    }

    static void need(ByteBuf in, int bytes) {
        if (bytes < 0 || in.readableBytes() < bytes) {
            throw malformed();
        }
    }

    static ThetisException malformed() {
        return new ThetisException(ErrorCode.MALFORMED_PACKET, "Malformed communication packet");
    }
}
