// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.SourcePosition;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.Assignment;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.dml.Update;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalPlan;
import org.thetis.sql.plan.WrittenColumns;

/**
 * Binds UPDATE of a UNIQUE table to new values for the keys of the rows it changes. With merge-on-write only the set columns are
 * written, so that what a load gives the others meanwhile stays; otherwise whole rows are. The sequence stays as it was unless the
 * column it is mapped to is set. Of several rows of FROM that match one row, any may win.
 */
public final class UpdateBinder {
    private final BindContext context;

    public UpdateBinder(BindContext context) {
        this.context = context;
    }

    /** Binds the statement; fails for other models, key columns, and values that a column cannot take. */
    public BoundWrite bind(Update update) {
        return bind(update, null);
    }

    /** The same over rows of the table alone that the condition chose and that were read already. */
    public BoundWrite bind(Update update, @Nullable ReadRows read) {
        WriteTarget target = WriteTarget.of(update.table(), "UPDATE", context);
        if (target.table().keysModel() != KeysModel.UNIQUE) {
            throw Errors.at(
                    ErrorCode.NOT_SUPPORTED,
                    "Only UNIQUE KEY tables can be updated; '" + target.table().name() + "' has "
                            + target.table().keysModel().sql(),
                    update.table().position());
        }
        QueryBinder queries = new QueryBinder(context).with(update.with());
        RelationBinder.Bound rows = target.scan(queries, update.table(), update.alias(), null);
        Scope own = rows.scope();
        if (update.from() != null) {
            RelationBinder relations = new RelationBinder(queries, null);
            rows = RelationBinder.cross(rows, relations.bind(update.from()), update.from());
        }
        LogicalPlan plan = read == null ? rows.plan() : read.as(own);
        if (update.where() != null && read == null) {
            Expr condition = queries.expressions(rows.scope(), "where clause").condition(update.where());
            plan = new LogicalFilter(Conjuncts.split(condition), plan);
        }
        Map<SchemaColumn, Assigned> values =
                assignments(update, target, queries.expressions(rows.scope(), "field list"));
        WrittenColumns written = written(target, values);
        RowBuilder row = new RowBuilder(context.ids(), true);
        for (SchemaColumn column : written.columns()) {
            Assigned assigned = values.get(source(column, target));
            if (assigned != null) {
                row.converted(column, assigned.value(), assigned.position());
            } else {
                row.add(column, oldValue(column, own, update));
            }
        }
        return new BoundWrite(
                target.catalog(),
                target.database(),
                target.table(),
                written,
                row.over(plan),
                row.unconverted(),
                List.of());
    }

    private static WrittenColumns written(WriteTarget target, Map<SchemaColumn, Assigned> values) {
        WrittenColumns whole = WrittenColumns.whole(target.table());
        if (!target.isMergeOnWrite()) {
            return whole;
        }
        return WrittenColumns.change(whole.columns().stream()
                .filter(column -> column.key() || values.containsKey(source(column, target)))
                .toList());
    }

    /** A value of any type and where it is written. */
    private record Assigned(Expr value, SourcePosition position) {}

    /** The column whose assignment a column follows: itself, or what the sequence is mapped to. */
    private static SchemaColumn source(SchemaColumn column, WriteTarget target) {
        return WriteTarget.isSequence(column) ? target.mappedSequence().orElse(column) : column;
    }

    private static Expr oldValue(SchemaColumn column, Scope own, Update update) {
        return WriteTarget.isDeleteSign(column)
                ? new Literal(0L, DataType.TINYINT)
                : own.findLocal(List.of(column.name()), update.table().position())
                        .orElseThrow();
    }

    private Map<SchemaColumn, Assigned> assignments(Update update, WriteTarget target, ExprBinder binder) {
        Map<SchemaColumn, Assigned> values = new HashMap<>();
        for (Assignment assignment : update.assignments()) {
            SchemaColumn column = column(assignment, update, target);
            Expression given = assignment.value();
            Expr value;
            if (given instanceof Expression.DefaultMarker) {
                InsertBinder.requireDefault(column);
                value = Defaults.of(column, context.session());
            } else {
                value = binder.bind(given);
            }
            if (values.putIfAbsent(column, new Assigned(value, given.position())) != null) {
                throw Errors.at(
                        ErrorCode.DUPLICATE_COLUMN_IN_LIST,
                        "Column '" + column.name() + "' is set twice",
                        assignment.column().position());
            }
        }
        return values;
    }

    private static SchemaColumn column(Assignment assignment, Update update, WriteTarget target) {
        List<String> parts = assignment.column().parts();
        String name = parts.get(parts.size() - 1);
        String table = update.alias() == null ? target.table().name() : update.alias();
        List<SchemaColumn> visible = target.table().baseIndex().visibleColumns();
        boolean own = parts.size() < 2 || parts.get(parts.size() - 2).equalsIgnoreCase(table);
        SchemaColumn column = visible.stream()
                .filter(known -> own && known.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> Errors.unknownColumn(
                        String.join(".", parts),
                        "field list",
                        visible.stream().map(SchemaColumn::name).toList(),
                        assignment.column().position()));
        if (column.key()) {
            throw Errors.at(
                    ErrorCode.INVALID_ARGUMENT,
                    "Only value columns of a UNIQUE KEY table can be updated; '" + column.name() + "' is a key column",
                    assignment.column().position());
        }
        return column;
    }
}
