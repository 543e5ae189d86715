// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueryIdTest {
    @Test
    void bothTextsAreTheHalvesInHex() {
        assertThat(new QueryId(0xabcL, -1)).hasToString("abc-ffffffffffffffff");
        for (int bit = -1; bit < Long.SIZE; bit++) {
            long value = bit < 0 ? 0 : 1L << bit;
            for (QueryId id : new QueryId[] {new QueryId(value, value - 1), new QueryId(~value, -value)}) {
                StringBuilder out = new StringBuilder("id ");
                id.appendTo(out);
                assertThat(out).hasToString("id " + id);
            }
        }
    }
}
