// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.lower.OutputColumn;

/** Rows read back from their text are exactly what is stored, or not taken at all. */
class FoundRowsTest {
    private static List<OutputColumn> columns(DataType... types) {
        return Stream.of(types)
                .map(type -> new OutputColumn("c", type, true, null, null))
                .toList();
    }

    private static byte[] packet(byte[]... cells) {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        for (byte[] cell : cells) {
            if (cell.length < 251) {
                payload.write(cell.length);
            } else {
                payload.write(0xFC);
                payload.write(cell.length);
                payload.write(cell.length >> 8);
            }
            payload.writeBytes(cell);
        }
        return framed(payload.toByteArray());
    }

    private static byte[] framed(byte[] payload) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(payload.length);
        all.write(payload.length >> 8);
        all.write(payload.length >> 16);
        all.write(0);
        all.writeBytes(payload);
        return all.toByteArray();
    }

    private static @Nullable Literal read(DataType type, String text) {
        List<List<Literal>> rows = FoundRows.read(packet(text.getBytes(StandardCharsets.UTF_8)), columns(type));
        return rows == null ? null : rows.get(0).get(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "BOOLEAN | 1",
                "TINYINT | -128",
                "BIGINT | -9223372036854775808",
                "LARGEINT | 170141183460469231731687303715884105727",
                "FLOAT | 0.1",
                "DOUBLE | 0.30000000000000004",
                "DECIMAL(10,3) | -1.500",
                "DATE | 0001-01-01",
                "DATE | 9999-12-31",
                "DATETIME | 2024-02-29 23:59:59",
                "DATETIME(6) | 1969-12-31 23:59:59.999999",
                "VARCHAR(20) | it's 漢字",
            })
    void everyTypeKeepsItsValue(String type, String text) {
        DataType read = DataType.parse(type);
        Literal value = requireNonNull(read(read, text));
        assertThat(value.type()).isEqualTo(read);
        assertThat(value.text()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DECIMAL(10,1) | 1.55",
                "DATE | 0000-00-00",
                "DATETIME | 2024-02-29 10:00:00.5",
                "INT | 1.0",
                "DOUBLE | x",
                "JSON | {}",
            })
    void whatItsTextDoesNotSayExactlyIsRefused(String type, String text) {
        assertThat(read(DataType.parse(type), text)).isNull();
    }

    @Test
    void severalRowsAndLongCells() {
        byte[] first =
                packet("1".getBytes(StandardCharsets.UTF_8), "x".repeat(300).getBytes(StandardCharsets.UTF_8));
        byte[] second = framed(new byte[] {1, '2', (byte) 0xFB});
        byte[] both = new byte[first.length + second.length];
        System.arraycopy(first, 0, both, 0, first.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        assertThat(FoundRows.read(both, columns(DataType.INT, DataType.STRING)))
                .containsExactly(
                        List.of(new Literal(1L, DataType.INT), new Literal("x".repeat(300), DataType.STRING)),
                        List.of(new Literal(2L, DataType.INT), Literal.nullOf(DataType.STRING)));
        assertThat(FoundRows.read(new byte[0], columns(DataType.INT))).isEmpty();
    }

    @Test
    void bytesThatAreNoTextAndPerhapsNotANumber() {
        assertThat(FoundRows.read(packet(new byte[] {(byte) 0xFF, 'a'}), columns(DataType.STRING)))
                .isNull();
        assertThat(FoundRows.read(framed(new byte[] {(byte) 0xFB}), columns(DataType.DOUBLE)))
                .isNull();
    }
}
