// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import java.util.Arrays;

/**
 * Plan ids a back end was sent, by open addressing, without objects. Forgets everything when it is full, and two ids may look the
 * same to it: both only mean that the back end asks for a plan, or gets it once more.
 */
final class KnownPlans {
    private static final int MAX = 1 << 15;
    private static final long EMPTY = 0;

    private long[] slots = new long[64];
    private int size;

    boolean contains(long high, long low) {
        long id = mix(high, low);
        int mask = slots.length - 1;
        for (int i = (int) id & mask; ; i = i + 1 & mask) {
            if (slots[i] == id) {
                return true;
            }
            if (slots[i] == EMPTY) {
                return false;
            }
        }
    }

    void add(long high, long low) {
        if (2 * (size + 1) > slots.length) {
            grow();
        }
        if (insert(mix(high, low))) {
            size++;
        }
    }

    void clear() {
        Arrays.fill(slots, EMPTY);
        size = 0;
    }

    private boolean insert(long id) {
        int mask = slots.length - 1;
        int i = (int) id & mask;
        while (slots[i] != EMPTY) {
            if (slots[i] == id) {
                return false;
            }
            i = i + 1 & mask;
        }
        slots[i] = id;
        return true;
    }

    private void grow() {
        if (size >= MAX) {
            clear();
            return;
        }
        long[] before = slots;
        slots = new long[2 * before.length];
        for (long id : before) {
            if (id != EMPTY) {
                insert(id);
            }
        }
    }

    private static long mix(long high, long low) {
        long value = (high ^ low * 0x9E3779B97F4A7C15L) * 0xD6E8FEB86659FD93L;
        value ^= value >>> 32;
        return value == EMPTY ? 1 : value;
    }
}
