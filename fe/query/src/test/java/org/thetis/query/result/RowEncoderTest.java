// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.thetis.catalog.type.DataType;

/** Row payloads byte by byte. */
class RowEncoderTest {
    @Test
    void textRows() {
        RowEncoder encoder = new RowEncoder(List.of(ResultColumn.text("a"), ResultColumn.text("b")), false);
        assertThat(hex(encoder.encode(Arrays.asList("xy", null)))).isEqualTo("027879fb");
        byte[] longRow = encoder.encode(List.of("q".repeat(251), ""));
        assertThat(hex(Arrays.copyOf(longRow, 4))).isEqualTo("fcfb0071");
        assertThat(TextRows.decode(longRow, 2)).containsExactly("q".repeat(251), "");
    }

    @Test
    void binaryRows() {
        assertThat(binary(DataType.INT, "-2")).isEqualTo("0000feffffff");
        assertThat(binary(DataType.TINYINT, "7")).isEqualTo("000007");
        assertThat(binary(DataType.DOUBLE, "1.5")).isEqualTo("0000000000000000f83f");
        assertThat(binary(DataType.DATE, "2024-02-29")).isEqualTo("000004e807021d");
        assertThat(binary(DataType.datetime(6), "2024-02-29 12:34:56.000001"))
                .isEqualTo("00000be807021d0c223801000000");
        assertThat(binary(DataType.time(0), "-25:00:01")).isEqualTo("0000080101000000010001");
        assertThat(binary(DataType.decimal(10, 2), "1.50")).isEqualTo("000004312e3530");
        assertThat(binary(DataType.INT, null)).isEqualTo("0004");
    }

    private static String binary(DataType type, @Nullable String value) {
        return hex(new RowEncoder(List.of(ResultColumn.of("c", type)), true).encode(Arrays.asList(value)));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
