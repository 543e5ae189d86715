// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.sql.expr.Expr;

/**
 * The columns a statement or a load sends to the table sink, in table order.
 *
 * @param partialUpdate whether columns that are not sent keep the value of the row with the same key
 * @param existingOnly in a partial update: whether a row whose key is not there is left out instead of being a new one
 * @param newValues what a new row of a partial update has in columns that are not sent, by unique id; others are NULL
 * @param readBefore whether the statement read the keys in the table: one that is gone by now was deleted, which is no error
 */
public record WrittenColumns(
        List<SchemaColumn> columns,
        boolean partialUpdate,
        boolean existingOnly,
        Map<Integer, Expr> newValues,
        boolean readBefore) {
    /** Copies list and map. */
    public WrittenColumns {
        columns = List.copyOf(columns);
        newValues = Map.copyOf(newValues);
    }

    /** Whole rows: every column but those that back ends make. */
    public static WrittenColumns whole(OlapTable table) {
        return new WrittenColumns(
                table.columns().stream()
                        .filter(column -> !HiddenColumns.isMadeByBackend(column))
                        .toList(),
                false,
                false,
                Map.of(),
                false);
    }

    /** A part of rows whose other columns stay as they are. */
    public static WrittenColumns part(List<SchemaColumn> columns, boolean existingOnly, Map<Integer, Expr> newValues) {
        return new WrittenColumns(columns, true, existingOnly, newValues, false);
    }

    /** A part of rows that the statement has read: those that are deleted meanwhile stay deleted. */
    public static WrittenColumns change(List<SchemaColumn> columns) {
        return new WrittenColumns(columns, true, true, Map.of(), true);
    }

    /** Position among the sent columns by name in any case; -1 for none. */
    public int positionOf(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
                return i;
            }
        }
        return -1;
    }
}
