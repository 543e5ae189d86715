// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineBufferTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 9, 10, 99, 100, 15, 16, 255, 256, 1L << 32, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void numbersAreWrittenAsJavaWritesThem(long number) {
        LineBuffer buffer = new LineBuffer(1).add(number).add(' ').addHex(number);
        assertThat(text(buffer)).isEqualTo(number + " " + Long.toHexString(number));
    }

    @Test
    void growsAndIsCut() {
        LineBuffer buffer = new LineBuffer(2);
        for (int i = 0; i < 1000; i++) {
            buffer.add("für").add(new byte[] {'x', 'y'});
        }
        assertThat(text(buffer)).isEqualTo("fürxy".repeat(1000));
        buffer.truncate(3);
        assertThat(text(buffer)).isEqualTo("fü");
        buffer.truncate(100);
        assertThat(buffer.length()).isEqualTo(3);
    }

    private static String text(LineBuffer buffer) {
        return new String(buffer.array(), 0, buffer.length(), StandardCharsets.UTF_8);
    }
}
