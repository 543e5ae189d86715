// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Cast;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.wire.thrift.LiteralColumn;

/** Literal rows on the wire. */
class ValueColumnsTest {
    private final ExprIds ids = new ExprIds();

    private ValueColumns.Lowered one(DataType type, Expr... values) {
        List<List<Expr>> rows = new ArrayList<>();
        Arrays.stream(values).forEach(value -> rows.add(List.of(value)));
        return ValueColumns.lower(List.of(new SlotReference(ids.next(), null, "c", type, false, null)), rows);
    }

    private LiteralColumn packed(DataType type, Object... values) {
        Expr[] literals = Arrays.stream(values)
                .map(value -> value == this ? Literal.nullOf(type) : new Literal(value, type))
                .toArray(Expr[]::new);
        ValueColumns.Lowered lowered = one(type, literals);
        assertThat(lowered.wire().getNum_rows()).isEqualTo(values.length);
        return lowered.wire().getColumns().get(0).getLiterals();
    }

    private static byte[] longs(long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
        Arrays.stream(values).forEach(bytes::putLong);
        return bytes.array();
    }

    @Test
    void numbersAreEightBytes() {
        assertThat(packed(DataType.INT, 1L, -2L).getValues())
                .isEqualTo(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, -2, -1, -1, -1, -1, -1, -1, -1});
        assertThat(packed(DataType.BIGINT, Long.MIN_VALUE).getValues()).isEqualTo(longs(Long.MIN_VALUE));
        assertThat(packed(DataType.BOOLEAN, true, false).getValues()).isEqualTo(longs(1, 0));
        assertThat(packed(DataType.DATE, 19_782L).getValues()).isEqualTo(longs(19_782));
        assertThat(packed(DataType.decimal(10, 2), new BigDecimal("-1.50")).getValues())
                .isEqualTo(longs(-150));
        assertThat(packed(DataType.FLOAT, 0.5).getValues()).isEqualTo(longs(Double.doubleToLongBits(0.5)));
        assertThat(packed(DataType.DOUBLE, -0.1).getValues()).isEqualTo(longs(Double.doubleToLongBits(-0.1)));
    }

    @Test
    void wideNumbersAreSixteenBytes() {
        BigInteger wide = BigInteger.ONE.shiftLeft(64).add(BigInteger.TWO);
        assertThat(packed(DataType.LARGEINT, wide, wide.negate()).getValues()).isEqualTo(longs(2, 1, -2, -2));
        assertThat(packed(DataType.decimal(38, 1), new BigDecimal("0.3")).getValues())
                .isEqualTo(longs(3, 0));
    }

    @Test
    void textIsBytesAndLengths() {
        LiteralColumn text = packed(DataType.varchar(20), "é", "", "plain");
        assertThat(text.getValues()).isEqualTo("éplain".getBytes(StandardCharsets.UTF_8));
        assertThat(text.getLengths()).isEqualTo(new byte[] {2, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0});
        assertThat(text.isSetNulls()).isFalse();
    }

    @Test
    void nullsAreMarkedAndMakeTheColumnNullable() {
        for (DataType type : List.of(DataType.INT, DataType.DOUBLE, DataType.LARGEINT)) {
            ValueColumns.Lowered lowered = one(type, Literal.untypedNull(), Literal.nullOf(type));
            LiteralColumn column = lowered.wire().getColumns().get(0).getLiterals();
            assertThat(column.getNulls()).isEqualTo(new byte[] {1, 1});
            assertThat(column.getValues()).containsOnly(0);
            assertThat(lowered.output().get(0).nullable()).isTrue();
        }
        LiteralColumn text = packed(DataType.STRING, "a", this);
        assertThat(text.getNulls()).isEqualTo(new byte[] {0, 1});
        assertThat(text.getLengths()).isEqualTo(new byte[] {1, 0, 0, 0, 0, 0, 0, 0});
        LiteralColumn some = packed(DataType.INT, 7L, this, 8L);
        assertThat(some.getNulls()).isEqualTo(new byte[] {0, 1, 0});
        assertThat(some.getValues()).isEqualTo(longs(7, 0, 8));
        assertThat(one(DataType.INT, Literal.integer(1)).output().get(0).nullable())
                .isFalse();
    }

    @Test
    void oneExpressionMakesAColumnOfExpressions() {
        Expr cast = new Cast(Literal.string("[1]"), DataType.JSON, false);
        ValueColumns.Lowered lowered = one(DataType.JSON, new Literal("1", DataType.JSON), cast);
        assertThat(lowered.wire().getColumns().get(0).getExpressions().getExpressions())
                .hasSize(2);
        assertThat(lowered.output().get(0).nullable()).isTrue();
    }

    @Test
    void rowsMayHaveNoColumns() {
        ValueColumns.Lowered lowered = ValueColumns.lower(List.of(), List.of(List.of(), List.of()));
        assertThat(lowered.wire().getNum_rows()).isEqualTo(2);
        assertThat(lowered.wire().getColumns()).isEmpty();
    }
}
