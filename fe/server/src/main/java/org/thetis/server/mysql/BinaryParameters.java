// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.query.session.PreparedStatement;
import org.thetis.sql.expr.Literal;

/** Reads the parameter values of COM_STMT_EXECUTE into literals. */
final class BinaryParameters {
    private static final int UNSIGNED = 0x8000;
    private static final int MAX_DECIMAL_CHARACTERS = 2000;
    private static final long MICROS_PER_SECOND = 1_000_000;
    /** A time reaches 838:59:59. */
    private static final int MAX_TIME_DAYS = 34;

    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    private BinaryParameters() {}

    /** Reads null bitmap, types if sent, and values. The buffer stands behind the iteration count. */
    static List<Literal> read(ByteBuf in, PreparedStatement statement) {
        int count = statement.numParameters();
        if (count == 0) {
            return List.of();
        }
        byte[] nulls = ProtocolBytes.readBytes(in, (count + 7) / 8);
        int[] types = types(in, statement, count);
        List<Literal> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] sentInPieces = statement.longData(i);
            if (sentInPieces != null) {
                values.add(text(sentInPieces));
            } else if ((nulls[i / 8] >> (i % 8) & 1) != 0) {
                values.add(Literal.untypedNull());
            } else {
                values.add(value(in, types[i]));
            }
        }
        return values;
    }

    private static int[] types(ByteBuf in, PreparedStatement statement, int count) {
        boolean sent = ProtocolBytes.readUnsignedByte(in) != 0;
        if (!sent) {
            int[] known = statement.parameterTypes();
            if (known == null) {
                throw new ThetisException(
                        ErrorCode.MALFORMED_PACKET, "Parameter types were never sent for the prepared statement");
            }
            return known;
        }
        int[] types = new int[count];
        for (int i = 0; i < count; i++) {
            types[i] = ProtocolBytes.readUnsignedShort(in);
        }
        statement.rememberTypes(types);
        return types;
    }

    private static Literal value(ByteBuf in, int typeAndFlags) {
        boolean unsigned = (typeAndFlags & UNSIGNED) != 0;
        int type = typeAndFlags & 0xFF;
        return switch (type) {
            case 1 -> {
                int value = ProtocolBytes.readUnsignedByte(in);
                yield unsigned
                        ? new Literal((long) value, DataType.SMALLINT)
                        : new Literal((long) (byte) value, DataType.TINYINT);
            }
            case 2, 13 -> {
                int value = ProtocolBytes.readUnsignedShort(in);
                yield unsigned
                        ? new Literal((long) value, DataType.INT)
                        : new Literal((long) (short) value, DataType.SMALLINT);
            }
            case 3, 9 -> {
                int value = ProtocolBytes.readInt(in);
                yield unsigned
                        ? Literal.bigint(Integer.toUnsignedLong(value))
                        : new Literal((long) value, DataType.INT);
            }
            case 8 -> {
                long value = ProtocolBytes.readLong(in);
                yield unsigned && value < 0
                        ? new Literal(new BigInteger(Long.toUnsignedString(value)), DataType.LARGEINT)
                        : Literal.bigint(value);
            }
            case 4 -> new Literal((double) Float.intBitsToFloat(ProtocolBytes.readInt(in)), DataType.FLOAT);
            case 5 -> new Literal(Double.longBitsToDouble(ProtocolBytes.readLong(in)), DataType.DOUBLE);
            case 6 -> Literal.untypedNull();
            case 0, 246 -> decimal(new String(ProtocolBytes.readLengthEncodedBytes(in), StandardCharsets.US_ASCII));
            case 10, 14 -> date(in);
            case 7, 12, 17, 18 -> dateTime(in);
            case 11, 19 -> time(in);
            // Text, BLOB and JSON family.
            case 15, 16, 245, 247, 248, 249, 250, 251, 252, 253, 254, 255 ->
                text(ProtocolBytes.readLengthEncodedBytes(in));
            default ->
                throw new ThetisException(ErrorCode.NOT_SUPPORTED, "parameter type " + type + " is not supported");
        };
    }

    private static Literal text(byte[] bytes) {
        return Literal.string(new String(bytes, StandardCharsets.UTF_8));
    }

    private static Literal decimal(String text) {
        try {
            BigDecimal value = text.length() > MAX_DECIMAL_CHARACTERS ? null : new BigDecimal(text.strip());
            // A few characters can stand for more digits than there is memory.
            if (value == null || Math.abs((long) value.scale()) > MAX_DECIMAL_CHARACTERS) {
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT,
                        "not a decimal parameter: more than " + MAX_DECIMAL_CHARACTERS + " digits");
            }
            return Literal.decimal(value);
        } catch (NumberFormatException bad) {
            throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "not a decimal parameter: '" + text + "'", bad);
        }
    }

    private static Literal date(ByteBuf in) {
        int length = ProtocolBytes.readUnsignedByte(in);
        long days = day(in, length);
        ProtocolBytes.need(in, Math.max(0, length - 4));
        in.skipBytes(Math.max(0, length - 4));
        return Literal.date(days);
    }

    private static Literal dateTime(ByteBuf in) {
        int length = ProtocolBytes.readUnsignedByte(in);
        long micros = day(in, length) * MICROS_PER_DAY;
        if (length >= 7) {
            ProtocolBytes.need(in, 3);
            micros += clock(in.readUnsignedByte(), in.readUnsignedByte(), in.readUnsignedByte());
        }
        boolean fraction = length >= 11;
        if (fraction) {
            micros += ProtocolBytes.readInt(in);
        }
        return Literal.dateTime(micros, fraction ? 6 : 0);
    }

    private static Literal time(ByteBuf in) {
        int length = ProtocolBytes.readUnsignedByte(in);
        if (length < 8) {
            return new Literal(0L, DataType.time(0));
        }
        boolean negative = ProtocolBytes.readUnsignedByte(in) != 0;
        long days = Integer.toUnsignedLong(ProtocolBytes.readInt(in));
        if (days > MAX_TIME_DAYS) {
            throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "not a time parameter: " + days + " days");
        }
        long micros = days * MICROS_PER_DAY;
        ProtocolBytes.need(in, 3);
        micros += clock(in.readUnsignedByte(), in.readUnsignedByte(), in.readUnsignedByte());
        if (length >= 12) {
            micros += ProtocolBytes.readInt(in);
        }
        return new Literal(negative ? -micros : micros, DataType.time(length >= 12 ? 6 : 0));
    }

    private static long day(ByteBuf in, int length) {
        if (length < 4) {
            return LocalDate.of(0, 1, 1).toEpochDay();
        }
        int year = ProtocolBytes.readUnsignedShort(in);
        int month = ProtocolBytes.readUnsignedByte(in);
        int day = ProtocolBytes.readUnsignedByte(in);
        try {
            return LocalDate.of(year, month, day).toEpochDay();
        } catch (DateTimeException bad) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "not a date parameter: " + year + "-" + month + "-" + day, bad);
        }
    }

    private static long clock(int hours, int minutes, int seconds) {
        try {
            return LocalTime.of(hours, minutes, seconds).toSecondOfDay() * MICROS_PER_SECOND;
        } catch (DateTimeException bad) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "not a time parameter: " + hours + ":" + minutes + ":" + seconds, bad);
        }
    }
}
