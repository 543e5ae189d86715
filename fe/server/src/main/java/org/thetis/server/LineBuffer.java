// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** UTF-8 text that grows at its end. Not thread-safe. */
final class LineBuffer {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_DIGITS = 20;

    private byte[] bytes;
    private int length;

    LineBuffer(int capacity) {
        bytes = new byte[capacity];
    }

    int length() {
        return length;
    }

    int capacity() {
        return bytes.length;
    }

    /** The text from 0 to {@link #length()}; valid until the next change. */
    byte[] array() {
        return bytes;
    }

    /** Forgets what follows the first `newLength` bytes. */
    void truncate(int newLength) {
        length = Math.min(length, newLength);
    }

    LineBuffer add(byte[] utf8) {
        reserve(utf8.length);
        System.arraycopy(utf8, 0, bytes, length, utf8.length);
        length += utf8.length;
        return this;
    }

    LineBuffer add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    LineBuffer add(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    /** In decimal. */
    LineBuffer add(long number) {
        if (number < 0 || number > 9) {
            return addDigits(number);
        }
        return add((char) ('0' + number));
    }

    /** Without leading zeros, as Long.toHexString. */
    LineBuffer addHex(long number) {
        int digits = Math.max(1, (Long.SIZE + 3 - Long.numberOfLeadingZeros(number)) / 4);
        reserve(digits);
        long rest = number;
        for (int i = length + digits - 1; i >= length; i--) {
            bytes[i] = HEX[(int) (rest & 15)];
            rest >>>= 4;
        }
        length += digits;
        return this;
    }

    private LineBuffer addDigits(long number) {
        if (number < 0) {
            return add(Long.toString(number));
        }
        reserve(MAX_DIGITS);
        int digits = 1;
        for (long rest = number; rest > 9; rest /= 10) {
            digits++;
        }
        long rest = number;
        for (int i = length + digits - 1; i >= length; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    private void reserve(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
