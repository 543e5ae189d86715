// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import io.netty.buffer.ByteBuf;

/** Protobuf's variable-length numbers: their sizes, and reading them from a ByteBuf. Reading past the buffer's end throws, as does a number of more than ten bytes. */
final class Varints {
    private static final int MAX_BYTES = 10;

    private Varints() {}

    static int size(long value) {
        return value == 0 ? 1 : (70 - Long.numberOfLeadingZeros(value)) / 7;
    }

    /** A field of bytes with a one-byte tag. */
    static int sizeOfBytes(int length) {
        return 1 + size(length) + length;
    }

    static long read(ByteBuf in) {
        byte first = in.readByte();
        if (first >= 0) {
            return first;
        }
        long value = first & 0x7F;
        for (int i = 1; i < MAX_BYTES; i++) {
            byte next = in.readByte();
            value |= (long) (next & 0x7F) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw new IndexOutOfBoundsException("a number of more than " + MAX_BYTES + " bytes");
    }

    /** A length that must lie within the buffer. */
    static int readLength(ByteBuf in) {
        long length = read(in);
        if (length < 0 || length > in.readableBytes()) {
            throw new IndexOutOfBoundsException("a field of " + length + " bytes in the last " + in.readableBytes());
        }
        return (int) length;
    }

    /** Passes over the value of a field whose tag was read. */
    static void skip(ByteBuf in, int tag) {
        switch (tag & 7) {
            case 0 -> read(in);
            case 1 -> in.skipBytes(8);
            case 2 -> in.skipBytes(readLength(in));
            case 5 -> in.skipBytes(4);
            default -> throw new IndexOutOfBoundsException("field with tag " + tag);
        }
    }
}
