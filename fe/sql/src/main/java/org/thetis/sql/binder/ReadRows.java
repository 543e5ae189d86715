// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.LogicalValues;

/**
 * Rows that the condition of an UPDATE or DELETE chose, read before the statement is bound. Immutable; rows are shared.
 *
 * @param columns names of columns of the changed table
 * @param rows values of those columns, each of its column's type
 */
public record ReadRows(List<String> columns, List<List<Literal>> rows) {
    /** Copies the column list. */
    public ReadRows {
        columns = List.copyOf(columns);
    }

    /** These rows in place of the scan whose columns the scope names. */
    LogicalValues as(Scope scan) {
        List<SlotReference> output = new ArrayList<>();
        for (String name : columns) {
            output.add(scan.columns().stream()
                    .map(Scope.Column::slot)
                    .filter(slot -> slot.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> Errors.analysis("column '" + name + "' was read and is gone", null)));
        }
        List<List<Expr>> values = new ArrayList<>(rows.size());
        rows.forEach(row -> values.add(List.copyOf(row)));
        return new LogicalValues(output, values);
    }
}
