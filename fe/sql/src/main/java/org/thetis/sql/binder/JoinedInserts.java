// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.WrittenColumns;

/** INSERTs of plain rows of all columns as one write, in their order. */
public final class JoinedInserts {
    private JoinedInserts() {}

    /**
     * The one write.
     *
     * @param inserts at least one, all of whole rows given by LogicalValues
     * @param table the table as it is now, with the columns that it had
     */
    public static BoundWrite of(List<BoundWrite> inserts, OlapTable table, ExprIds ids) {
        BoundWrite first = inserts.get(0);
        List<SlotReference> columns = first.rows().output();
        int numColumns = first.unconverted().isEmpty()
                ? columns.size()
                : first.unconverted().size();
        // What some columns were converted from: the columns that any of the statements has it of.
        int[] converted = IntStream.range(0, numColumns)
                .filter(column -> inserts.stream().anyMatch(insert -> given(insert, column) >= 0))
                .toArray();
        List<SlotReference> output = new ArrayList<>();
        for (SlotReference slot : columns.subList(0, numColumns)) {
            output.add(new SlotReference(ids.next(), null, slot.name(), slot.type(), true, null));
        }
        Integer[] unconverted = new Integer[converted.length == 0 ? 0 : numColumns];
        Arrays.fill(unconverted, -1);
        for (int column : converted) {
            unconverted[column] = output.size();
            output.add(new SlotReference(ids.next(), null, columns.get(column).name(), DataType.STRING, true, null));
        }
        List<List<Expr>> rows = new ArrayList<>();
        for (BoundWrite insert : inserts) {
            for (List<Expr> given : ((LogicalValues) insert.rows()).rows()) {
                if (converted.length == 0) {
                    rows.add(given);
                    continue;
                }
                List<Expr> row = new ArrayList<>(given.subList(0, numColumns));
                for (int column : converted) {
                    int position = given(insert, column);
                    row.add(position < 0 ? Literal.nullOf(DataType.STRING) : given.get(position));
                }
                rows.add(row);
            }
        }
        return new BoundWrite(
                first.catalog(),
                first.database(),
                table,
                WrittenColumns.whole(table),
                new LogicalValues(output, rows),
                List.of(unconverted),
                List.of());
    }

    /** Where rows of the statement have what a column was converted from; negative when it was not. */
    private static int given(BoundWrite insert, int column) {
        return insert.unconverted().isEmpty() ? -1 : insert.unconverted().get(column);
    }
}
