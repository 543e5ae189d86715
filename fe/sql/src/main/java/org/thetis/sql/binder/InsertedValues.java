// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.thetis.base.error.ErrorCode;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.expr.Cast;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.LogicalValues;

/**
 * Binds the rows of INSERT ... VALUES. In strict mode a value that may not convert comes a second time as text, behind the columns.
 * Used once.
 */
final class InsertedValues {
    /** Rows of the written columns, then what some were converted from; positions as in {@link BoundWrite}. */
    record Bound(LogicalValues rows, List<Integer> unconverted) {}

    private final BindContext context;
    private final ExprBinder binder;
    private final boolean strict;
    private final List<List<Expr>> rows = new ArrayList<>();
    /** By column, then by row, what was given where the conversion may fail. */
    private final Map<Integer, Map<Integer, Expr>> given = new TreeMap<>();

    InsertedValues(BindContext context, ExprBinder binder, boolean strict) {
        this.context = context;
        this.binder = binder;
        this.strict = strict;
    }

    /**
     * Binds all rows.
     *
     * @param columns what is written
     * @param sources per written column the one whose value or default it takes
     * @param named the columns that the rows give
     */
    Bound bind(
            List<SchemaColumn> columns, List<SchemaColumn> sources, List<SchemaColumn> named, QueryBody.Values values) {
        int[] at = sources.stream().mapToInt(named::indexOf).toArray();
        List<Expr> defaults = new ArrayList<>();
        for (SchemaColumn source : sources) {
            defaults.add(
                    source.isOptionalOnInsert()
                            ? Defaults.of(source, context.session())
                            : Literal.nullOf(source.type()));
        }
        for (List<Expression> row : values.rows()) {
            if (row.size() != named.size()) {
                throw Errors.at(
                        ErrorCode.COLUMN_COUNT_MISMATCH,
                        "Column count doesn't match value count: " + named.size() + " columns, row " + (rows.size() + 1)
                                + " has " + row.size(),
                        values.position());
            }
            List<Expr> bound = new ArrayList<>(columns.size());
            for (int i = 0; i < columns.size(); i++) {
                bound.add(at[i] < 0 ? defaults.get(i) : value(row.get(at[i]), sources.get(i), i));
            }
            rows.add(bound);
        }
        List<SlotReference> output = new ArrayList<>();
        columns.forEach(column -> output.add(slot(column.name(), column.type())));
        return given.isEmpty() ? new Bound(new LogicalValues(output, rows), List.of()) : withGiven(output);
    }

    private Bound withGiven(List<SlotReference> columns) {
        List<SlotReference> output = new ArrayList<>(columns);
        List<Integer> unconverted = new ArrayList<>();
        columns.forEach(column -> unconverted.add(-1));
        given.forEach((column, byRow) -> {
            unconverted.set(column, output.size());
            output.add(slot(columns.get(column).name(), DataType.STRING));
            for (int i = 0; i < rows.size(); i++) {
                Expr original = byRow.get(i);
                rows.get(i)
                        .add(
                                original == null
                                        ? Literal.nullOf(DataType.STRING)
                                        : new Cast(original, DataType.STRING, false));
            }
        });
        return new Bound(new LogicalValues(output, rows), unconverted);
    }

    private SlotReference slot(String name, DataType type) {
        return new SlotReference(context.ids().next(), null, name, type, true, null);
    }

    private Expr value(Expression expression, SchemaColumn column, int position) {
        if (expression instanceof Expression.DefaultMarker) {
            InsertBinder.requireDefault(column);
            return Defaults.of(column, context.session());
        }
        Expr bound = binder.bind(expression);
        Expr value = InsertValues.converted(bound, column, strict, expression.position());
        if (strict && !InsertValues.isSafe(bound, value, column)) {
            given.computeIfAbsent(position, key -> new TreeMap<>()).put(rows.size(), bound);
        }
        return value;
    }
}
