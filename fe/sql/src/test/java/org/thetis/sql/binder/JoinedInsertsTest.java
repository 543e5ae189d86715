// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.lower.TestCluster;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.WrittenColumns;

/** INSERTs of one transaction as one write: whose rows come where, and what their values were converted from. */
class JoinedInsertsTest {
    private final OlapTable table = new TestCluster(1).table("t", "a int, b date", 1, 0);
    private final ExprIds ids = new ExprIds();

    /** A statement whose rows have the columns, then texts for the columns that `unconverted` names. */
    private BoundWrite insert(List<Integer> unconverted, List<List<Expr>> rows) {
        List<SlotReference> output = new ArrayList<>(List.of(slot("a", DataType.INT), slot("b", DataType.DATE)));
        for (int i = 2; i < rows.get(0).size(); i++) {
            output.add(slot("given", DataType.STRING));
        }
        return new BoundWrite(
                "internal",
                "d",
                table,
                WrittenColumns.whole(table),
                new LogicalValues(output, rows),
                unconverted,
                List.of());
    }

    private SlotReference slot(String name, DataType type) {
        return new SlotReference(ids.next(), null, name, type, true, null);
    }

    private static Expr number(int value) {
        return Literal.integer(value);
    }

    private static Expr date(long days) {
        return Literal.date(days);
    }

    private static Expr text(String value) {
        return new Literal(value, DataType.STRING);
    }

    private static final Expr NO_TEXT = Literal.nullOf(DataType.STRING);

    @Test
    void rowsComeInTheOrderOfTheStatements() {
        BoundWrite joined = JoinedInserts.of(
                List.of(
                        insert(List.of(), List.of(List.of(number(1), date(1)), List.of(number(2), date(2)))),
                        insert(List.of(), List.of(List.of(number(3), date(3))))),
                table,
                ids);
        LogicalValues rows = (LogicalValues) joined.rows();
        assertThat(rows.rows())
                .containsExactly(List.of(number(1), date(1)), List.of(number(2), date(2)), List.of(number(3), date(3)));
        assertThat(rows.output()).extracting(SlotReference::name).containsExactly("a", "b");
        assertThat(rows.output()).extracting(SlotReference::type).containsExactly(DataType.INT, DataType.DATE);
        assertThat(joined.unconverted()).isEmpty();
        assertThat(joined.columns().columns())
                .isEqualTo(WrittenColumns.whole(table).columns());
    }

    @Test
    void textsFollowTheColumnThatAnyStatementConverted() {
        BoundWrite joined = JoinedInserts.of(
                List.of(
                        insert(List.of(-1, 2), List.of(List.of(number(1), date(1), text("b1")))),
                        insert(List.of(), List.of(List.of(number(2), date(2)))),
                        insert(List.of(3, 2), List.of(List.of(number(3), date(3), text("b3"), text("a3"))))),
                table,
                ids);
        LogicalValues rows = (LogicalValues) joined.rows();
        assertThat(joined.unconverted()).containsExactly(2, 3);
        assertThat(rows.output())
                .extracting(SlotReference::type)
                .containsExactly(DataType.INT, DataType.DATE, DataType.STRING, DataType.STRING);
        assertThat(rows.rows())
                .containsExactly(
                        List.of(number(1), date(1), NO_TEXT, text("b1")),
                        List.of(number(2), date(2), NO_TEXT, NO_TEXT),
                        List.of(number(3), date(3), text("a3"), text("b3")));
    }

    @Test
    void columnsThatNobodyConvertedHaveNoText() {
        BoundWrite joined = JoinedInserts.of(
                List.of(
                        insert(List.of(), List.of(List.of(number(1), date(1)))),
                        insert(List.of(-1, 2), List.of(List.of(number(2), date(2), text("b2"))))),
                table,
                ids);
        assertThat(joined.unconverted()).containsExactly(-1, 2);
        assertThat(((LogicalValues) joined.rows()).rows())
                .containsExactly(List.of(number(1), date(1), NO_TEXT), List.of(number(2), date(2), text("b2")));
    }

    @Test
    void theTableIsTheOneOfNow() {
        OlapTable now = new TestCluster(1).table("t2", "a int, b date", 1, 0);
        BoundWrite joined =
                JoinedInserts.of(List.of(insert(List.of(), List.of(List.of(number(1), date(1))))), now, ids);
        assertThat(joined.table()).isSameAs(now);
        assertThat(joined.partitions()).isEmpty();
    }
}
