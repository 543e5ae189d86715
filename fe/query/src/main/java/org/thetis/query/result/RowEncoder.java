// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.result;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.ScalarText;

/** Encodes a row held as text into a MySQL row payload: text protocol, or binary by the columns' types. */
public final class RowEncoder {
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    private final List<ResultColumn> columns;
    private final boolean binary;

    public RowEncoder(List<ResultColumn> columns, boolean binary) {
        this.columns = columns;
        this.binary = binary;
    }

    /** One row's payload without packet header. */
    public byte[] encode(List<@Nullable String> row) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(64);
        if (binary) {
            encodeBinary(row, out);
        } else {
            for (String value : row) {
                if (value == null) {
                    out.write(0xFB);
                } else {
                    writeText(out, value);
                }
            }
        }
        return out.toByteArray();
    }

    private void encodeBinary(List<@Nullable String> row, ByteArrayOutputStream out) {
        out.write(0);
        byte[] nulls = new byte[(row.size() + 9) / 8];
        for (int i = 0; i < row.size(); i++) {
            if (row.get(i) == null) {
                nulls[(i + 2) / 8] |= (byte) (1 << ((i + 2) % 8));
            }
        }
        out.writeBytes(nulls);
        for (int i = 0; i < row.size(); i++) {
            String value = row.get(i);
            if (value != null) {
                writeBinary(out, columns.get(i).type(), value);
            }
        }
    }

    private static void writeBinary(ByteArrayOutputStream out, DataType type, String value) {
        switch (type.id()) {
            case BOOLEAN, TINYINT -> writeLittleEndian(out, Long.parseLong(value), 1);
            case SMALLINT -> writeLittleEndian(out, Long.parseLong(value), 2);
            case INT -> writeLittleEndian(out, Long.parseLong(value), 4);
            case BIGINT -> writeLittleEndian(out, new BigInteger(value).longValue(), 8);
            case FLOAT -> writeLittleEndian(out, Float.floatToIntBits(Float.parseFloat(number(value))), 4);
            case DOUBLE -> writeLittleEndian(out, Double.doubleToLongBits(Double.parseDouble(number(value))), 8);
            case DATE, DATETIME -> writeDateTime(out, type, value);
            case TIME -> writeTime(out, value);
            default -> writeText(out, value);
        }
    }

    private static String number(String text) {
        return text.replace("inf", "Infinity").replace("nan", "NaN");
    }

    private static void writeDateTime(ByteArrayOutputStream out, DataType type, String value) {
        boolean date = type.id() == org.thetis.catalog.type.TypeId.DATE;
        long parsed = ScalarText.parse(type, value).longValue();
        long days = date ? parsed : Math.floorDiv(parsed, MICROS_PER_DAY);
        long micros = date ? 0 : Math.floorMod(parsed, MICROS_PER_DAY);
        java.time.LocalDate day = java.time.LocalDate.ofEpochDay(days);
        out.write(date ? 4 : type.scale() > 0 ? 11 : 7);
        writeLittleEndian(out, day.getYear(), 2);
        out.write(day.getMonthValue());
        out.write(day.getDayOfMonth());
        if (!date) {
            long seconds = micros / 1_000_000;
            out.write((int) (seconds / 3600));
            out.write((int) (seconds / 60 % 60));
            out.write((int) (seconds % 60));
            if (type.scale() > 0) {
                writeLittleEndian(out, micros % 1_000_000, 4);
            }
        }
    }

    /** [-]HH:MM:SS[.ffffff] as the standard binary TIME. */
    private static void writeTime(ByteArrayOutputStream out, String value) {
        boolean negative = value.startsWith("-");
        String[] parts = (negative ? value.substring(1) : value).split(":");
        String[] seconds = parts[2].split("\\.");
        int hours = Integer.parseInt(parts[0]);
        long micros = seconds.length > 1 ? Long.parseLong((seconds[1] + "000000").substring(0, 6)) : 0;
        out.write(micros > 0 ? 12 : 8);
        out.write(negative ? 1 : 0);
        writeLittleEndian(out, hours / 24, 4);
        out.write(hours % 24);
        out.write(Integer.parseInt(parts[1]));
        out.write(Integer.parseInt(seconds[0]));
        if (micros > 0) {
            writeLittleEndian(out, micros, 4);
        }
    }

    private static void writeText(ByteArrayOutputStream out, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < 251) {
            out.write(bytes.length);
        } else if (bytes.length < 1 << 16) {
            out.write(0xFC);
            writeLittleEndian(out, bytes.length, 2);
        } else if (bytes.length < 1 << 24) {
            out.write(0xFD);
            writeLittleEndian(out, bytes.length, 3);
        } else {
            out.write(0xFE);
            writeLittleEndian(out, bytes.length, 8);
        }
        out.writeBytes(bytes);
    }

    private static void writeLittleEndian(ByteArrayOutputStream out, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (value >>> (8 * i)));
        }
    }
}
