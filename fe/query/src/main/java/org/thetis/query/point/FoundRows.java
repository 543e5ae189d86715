// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.expr.DateTimes;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.lower.OutputColumn;

/** Reads the text rows of look-ups back into values of the columns' types, where that loses nothing. */
final class FoundRows {
    private static final int PACKET_HEADER = 4;
    private static final int MAX_PAYLOAD = 0xFFFFFF;

    private FoundRows() {}

    /** The rows of MySQL packets; null when a value's text does not say exactly what is stored. */
    static @Nullable List<List<Literal>> read(byte[] packets, List<OutputColumn> columns) {
        List<List<Literal>> rows = new ArrayList<>();
        int at = 0;
        while (at + PACKET_HEADER <= packets.length) {
            int length = packets[at] & 0xFF | (packets[at + 1] & 0xFF) << 8 | (packets[at + 2] & 0xFF) << 16;
            if (length == MAX_PAYLOAD) {
                return null;
            }
            List<Literal> row = row(ByteBuffer.wrap(packets, at + PACKET_HEADER, length), columns);
            if (row == null) {
                return null;
            }
            rows.add(row);
            at += PACKET_HEADER + length;
        }
        return at == packets.length ? rows : null;
    }

    private static @Nullable List<Literal> row(ByteBuffer payload, List<OutputColumn> columns) {
        List<Literal> row = new ArrayList<>(columns.size());
        for (OutputColumn column : columns) {
            int first = payload.get() & 0xFF;
            Literal value;
            if (first == 0xFB) {
                // Not-a-number is sent as NULL too.
                value = column.type().isFloatingPoint() ? null : Literal.nullOf(column.type());
            } else {
                int extra = first == 0xFC ? 2 : first == 0xFD ? 3 : first == 0xFE ? 8 : 0;
                long length = extra == 0 ? first : 0;
                for (int i = 0; i < extra; i++) {
                    length |= (payload.get() & 0xFFL) << (Byte.SIZE * i);
                }
                ByteBuffer text = payload.slice().limit((int) length);
                payload.position(payload.position() + (int) length);
                value = value(text, column.type());
            }
            if (value == null) {
                return null;
            }
            row.add(value);
        }
        return row;
    }

    private static @Nullable Literal value(ByteBuffer bytes, DataType type) {
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException noText) {
            return null;
        }
        try {
            return switch (type.id()) {
                case BOOLEAN -> Literal.of(!text.equals("0"));
                case TINYINT, SMALLINT, INT, BIGINT -> new Literal(Long.parseLong(text), type);
                case LARGEINT -> new Literal(new BigInteger(text), type);
                case DECIMAL -> new Literal(new BigDecimal(text).setScale(type.scale()), type);
                case FLOAT -> new Literal((double) Float.parseFloat(text), type);
                case DOUBLE -> new Literal(Double.parseDouble(text), type);
                case DATE, DATETIME -> time(text, type);
                case CHAR, VARCHAR, STRING -> new Literal(text, type);
                default -> null;
            };
        } catch (ArithmeticException | NumberFormatException notExact) {
            return null;
        }
    }

    private static @Nullable Literal time(String text, DataType type) {
        Optional<Long> micros = DateTimes.parseMicros(text);
        if (micros.isEmpty()) {
            return null;
        }
        Literal value = type.id() == TypeId.DATETIME
                ? new Literal(micros.get(), type)
                : Literal.date(Math.floorDiv(micros.get(), DateTimes.MICROS_PER_DAY));
        return text.equals(value.text()) ? value : null;
    }
}
