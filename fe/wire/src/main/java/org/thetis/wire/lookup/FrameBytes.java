// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Where frames are put together before they go to a buffer in one piece, which costs less than many small writes there. Reused. */
final class FrameBytes {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int FIRST_BYTES = 512;

    /** Larger ones are not kept for the next frame. */
    private static final int KEPT_BYTES = 64 << 10;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;

    /** Starts a frame of so many bytes. */
    void begin(int frameBytes) {
        size = 0;
        if (frameBytes > bytes.length) {
            bytes = new byte[Math.max(frameBytes, 2 * bytes.length)];
        } else if (bytes.length > KEPT_BYTES && frameBytes <= FIRST_BYTES) {
            bytes = new byte[FIRST_BYTES];
        }
    }

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    void putByte(int value) {
        bytes[size++] = (byte) value;
    }

    void putIntBE(int value) {
        INTS.set(bytes, size, value);
        size += Integer.BYTES;
    }

    void putLongLE(long value) {
        LONGS.set(bytes, size, value);
        size += Long.BYTES;
    }

    void putVarint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) ((int) rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    void put(byte[] source) {
        System.arraycopy(source, 0, bytes, size, source.length);
        size += source.length;
    }

    /** A field of bytes with a one-byte tag. */
    void putField(int tag, byte[] source) {
        putByte(tag);
        putVarint(source.length);
        put(source);
    }
}
