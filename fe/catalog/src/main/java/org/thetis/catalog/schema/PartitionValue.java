// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.LiteralCodec;
import org.thetis.catalog.type.ScalarText;
import org.thetis.wire.thrift.Literal;

/**
 * One column of a partition key, comparable with others of the same column: the least value, NULL, a value, MAXVALUE, in this
 * order. NULL sorts with the least values, as rows with NULL go to the lowest range.
 *
 * @param number VALUE of an integer, BOOLEAN, DATE (days) or DATETIME (microseconds) column
 * @param text VALUE of a CHAR or VARCHAR column
 */
public record PartitionValue(Kind kind, @Nullable BigInteger number, @Nullable String text)
        implements Comparable<PartitionValue> {
    /** In sort order. */
    public enum Kind {
        MIN,
        NULL,
        VALUE,
        MAX
    }

    public static final PartitionValue MIN = new PartitionValue(Kind.MIN, null, null);
    public static final PartitionValue NULL = new PartitionValue(Kind.NULL, null, null);
    public static final PartitionValue MAX = new PartitionValue(Kind.MAX, null, null);

    public static PartitionValue of(BigInteger number) {
        return new PartitionValue(Kind.VALUE, number, null);
    }

    public static PartitionValue of(String text) {
        return new PartitionValue(Kind.VALUE, null, text);
    }

    /** Parses a value of a partition column of the given type. */
    public static PartitionValue parse(DataType type, String text) {
        return type.isText() ? of(text) : of(ScalarText.parse(type, text));
    }

    @Override
    public int compareTo(PartitionValue other) {
        if (kind != other.kind || kind != Kind.VALUE) {
            return kind.compareTo(other.kind);
        }
        if (number != null && other.number != null) {
            return number.compareTo(other.number);
        }
        if (text != null && other.text != null) {
            return Arrays.compareUnsigned(
                    text.getBytes(StandardCharsets.UTF_8), other.text.getBytes(StandardCharsets.UTF_8));
        }
        throw new ThetisException(ErrorCode.INTERNAL, "partition values of different types compared");
    }

    /** The value's text without quotes; MAXVALUE, NULL and the least value by name. */
    public String show(DataType type) {
        return switch (kind) {
            case MIN -> minimum(type);
            case NULL -> "NULL";
            case MAX -> "MAXVALUE";
            case VALUE -> number != null ? ScalarText.format(type, number) : String.valueOf(text);
        };
    }

    /** As in SHOW CREATE TABLE: keywords bare, dates in single quotes, all else in double quotes. */
    public String toSql(DataType type) {
        if (kind == Kind.MAX || kind == Kind.NULL) {
            return show(type);
        }
        if (type.isDateLike()) {
            return "'" + show(type) + "'";
        }
        return "\"" + show(type).replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private static String minimum(DataType type) {
        return switch (type.id()) {
            case DATE -> "0000-01-01";
            case DATETIME -> "0000-01-01 00:00:00";
            case BOOLEAN -> "0";
            case TINYINT -> "-128";
            case SMALLINT -> "-32768";
            case INT -> "-2147483648";
            case BIGINT -> "-9223372036854775808";
            case LARGEINT -> "-170141183460469231731687303715884105728";
            default -> "";
        };
    }

    /** The value as a literal of the column's type; MIN and MAX have none and fail. */
    public Literal toThrift(DataType type) {
        if (kind == Kind.NULL) {
            return new Literal(true);
        }
        if (text != null) {
            return LiteralCodec.of(text);
        }
        if (number == null) {
            throw new ThetisException(ErrorCode.INTERNAL, "partition bound " + kind + " has no literal");
        }
        return LiteralCodec.of(type, number);
    }
}
