// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.WireExprs;
import org.thetis.wire.thrift.ExprColumn;
import org.thetis.wire.thrift.LiteralColumn;
import org.thetis.wire.thrift.ValueColumn;
import org.thetis.wire.thrift.Values;

/** Puts rows of literals on the wire, column by column. */
final class ValueColumns {
    private static final int LONG_BYTES = Long.BYTES;
    private static final int WIDE_BYTES = 2 * Long.BYTES;

    /** The wire form and its columns, which are nullable where a value may be NULL. */
    record Lowered(Values wire, List<SlotReference> output) {}

    private ValueColumns() {}

    /** The rows, each with one value per column. */
    static Lowered lower(List<SlotReference> columns, List<List<Expr>> rows) {
        List<ValueColumn> wire = new ArrayList<>(columns.size());
        List<SlotReference> output = new ArrayList<>(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            SlotReference slot = columns.get(i);
            Column column = column(rows, i, slot.type());
            wire.add(column.wire);
            output.add(column.nullable ? slot.withNullable(true) : slot);
        }
        return new Lowered(new Values(rows.size(), wire), output);
    }

    private record Column(ValueColumn wire, boolean nullable) {}

    private static Column column(List<List<Expr>> rows, int column, DataType type) {
        TypeId.Physical physical = type.physical();
        for (List<Expr> row : rows) {
            boolean packs = row.get(column) instanceof Literal literal
                    && (literal.isNull() || literal.type().physical() == physical);
            if (!packs) {
                return expressions(rows, column);
            }
        }
        byte[] nulls = nulls(rows, column);
        LiteralColumn wire = new LiteralColumn();
        switch (physical) {
            case STRING -> texts(rows, column, wire);
            case FLOAT, DOUBLE -> wire.values = doubles(rows, column);
            case INT128 -> wire.values = wides(rows, column, type);
            default -> wire.values = longs(rows, column, type);
        }
        if (nulls.length > 0) {
            wire.nulls = ByteBuffer.wrap(nulls);
        }
        return new Column(ValueColumn.literals(wire), nulls.length > 0);
    }

    private static Column expressions(List<List<Expr>> rows, int column) {
        WireExprs none = new WireExprs(List.of());
        List<org.thetis.wire.thrift.Expr> expressions = new ArrayList<>(rows.size());
        boolean nullable = false;
        for (List<Expr> row : rows) {
            org.thetis.wire.thrift.Expr wire = none.one(row.get(column));
            nullable |= wire.getType().isNullable();
            expressions.add(wire);
        }
        return new Column(ValueColumn.expressions(new ExprColumn(expressions)), nullable);
    }

    private static Literal literal(List<Expr> row, int column) {
        return (Literal) row.get(column);
    }

    /** One byte per row, or none when no value is NULL. */
    private static byte[] nulls(List<List<Expr>> rows, int column) {
        byte[] nulls = {};
        int at = 0;
        for (List<Expr> row : rows) {
            if (literal(row, column).isNull()) {
                if (nulls.length == 0) {
                    nulls = new byte[rows.size()];
                }
                nulls[at] = 1;
            }
            at++;
        }
        return nulls;
    }

    private static ByteBuffer littleEndian(int rows, int bytes) {
        return ByteBuffer.allocate(Math.multiplyExact(rows, bytes)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer longs(List<List<Expr>> rows, int column, DataType type) {
        ByteBuffer packed = littleEndian(rows.size(), LONG_BYTES);
        for (List<Expr> row : rows) {
            Literal literal = literal(row, column);
            packed.putLong(
                    literal.value() instanceof BigDecimal decimal
                            ? unscaled(decimal, type).longValueExact()
                            : literal.longValue());
        }
        return packed.flip();
    }

    private static ByteBuffer doubles(List<List<Expr>> rows, int column) {
        ByteBuffer packed = littleEndian(rows.size(), LONG_BYTES);
        for (List<Expr> row : rows) {
            packed.putDouble(literal(row, column).value() instanceof Double number ? number : 0);
        }
        return packed.flip();
    }

    private static ByteBuffer wides(List<List<Expr>> rows, int column, DataType type) {
        ByteBuffer packed = littleEndian(rows.size(), WIDE_BYTES);
        for (List<Expr> row : rows) {
            Object value = literal(row, column).value();
            BigInteger number = value instanceof BigDecimal decimal
                    ? unscaled(decimal, type)
                    : value instanceof BigInteger integer ? integer : BigInteger.ZERO;
            packed.putLong(number.longValue())
                    .putLong(number.shiftRight(Long.SIZE).longValue());
        }
        return packed.flip();
    }

    private static BigInteger unscaled(BigDecimal decimal, DataType type) {
        return decimal.setScale(type.scale()).unscaledValue();
    }

    private static void texts(List<List<Expr>> rows, int column, LiteralColumn wire) {
        byte[][] texts = new byte[rows.size()][];
        ByteBuffer lengths = littleEndian(rows.size(), Integer.BYTES);
        int total = 0;
        int at = 0;
        for (List<Expr> row : rows) {
            byte[] text = literal(row, column).value() instanceof String given
                    ? given.getBytes(StandardCharsets.UTF_8)
                    : new byte[0];
            texts[at++] = text;
            lengths.putInt(text.length);
            total = Math.addExact(total, text.length);
        }
        ByteBuffer packed = ByteBuffer.allocate(total);
        for (byte[] text : texts) {
            packed.put(text);
        }
        wire.lengths = lengths.flip();
        wire.values = packed.flip();
    }
}
