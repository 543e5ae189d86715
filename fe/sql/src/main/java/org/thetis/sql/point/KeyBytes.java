// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.math.BigInteger;
import java.util.Arrays;
import org.thetis.sql.expr.WireExprs;

/** Builds keys in the form of TabletKeys.keys. Used by one call at a time. */
final class KeyBytes {
    private byte[] bytes;
    private int size;

    KeyBytes(int capacity) {
        this.bytes = new byte[capacity];
    }

    int size() {
        return size;
    }

    byte[] array() {
        return bytes;
    }

    byte[] toArray() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    /** The lowest bytes of a number, least significant first. */
    void fixed(long value, int width) {
        reserve(width);
        long rest = value;
        for (int i = 0; i < width; i++) {
            bytes[size++] = (byte) rest;
            rest >>= 8;
        }
    }

    /** 16 bytes of two's complement, least significant first. */
    void wide(BigInteger value) {
        raw(WireExprs.littleEndian(value));
    }

    /** A length in four bytes and the bytes. */
    void text(byte[] value) {
        fixed(value.length, Integer.BYTES);
        raw(value);
    }

    void raw(byte[] value) {
        reserve(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
