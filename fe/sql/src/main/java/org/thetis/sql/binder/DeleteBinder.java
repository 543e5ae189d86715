// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.dml.Delete;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.functions.Coercion;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalPlan;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.WrittenColumns;

/**
 * Binds DELETE: of UNIQUE tables to rows that carry the delete sign, of the other models to a condition that storage keeps and
 * applies to the rows it has.
 */
public final class DeleteBinder {
    /**
     * A DELETE that storage does by a condition.
     *
     * @param rows a filter over a scan of the chosen partitions
     */
    public record Predicate(String database, OlapTable table, LogicalFilter rows) {}

    private final BindContext context;

    public DeleteBinder(BindContext context) {
        this.context = context;
    }

    /** Whether the statement becomes a condition in storage; fails for unknown tables and without WHERE. */
    public boolean isPredicate(Delete delete) {
        WriteTarget target = WriteTarget.of(delete.table(), "DELETE", context);
        if (delete.where() == null) {
            throw Errors.at(
                    ErrorCode.INVALID_ARGUMENT,
                    "DELETE needs a WHERE clause; use TRUNCATE TABLE "
                            + target.table().name() + " to remove every row",
                    delete.table().position());
        }
        return target.table().keysModel() != KeysModel.UNIQUE;
    }

    /** Binds a DELETE of a UNIQUE table: rows with the keys and sequences of those that go, and the delete sign. */
    public BoundWrite bindRows(Delete delete) {
        return bindRows(delete, null);
    }

    /** The same over rows of the table alone that the condition chose and that were read already. */
    public BoundWrite bindRows(Delete delete, @Nullable ReadRows read) {
        WriteTarget target = WriteTarget.of(delete.table(), "DELETE", context);
        QueryBinder queries = new QueryBinder(context).with(delete.with());
        RelationBinder.Bound rows = target.scan(queries, delete.table(), delete.alias(), delete.partitions());
        Scope own = rows.scope();
        if (delete.using() != null) {
            RelationBinder relations = new RelationBinder(queries, null);
            rows = RelationBinder.cross(rows, relations.bind(delete.using()), delete.using());
        }
        LogicalPlan plan = read == null ? filter(delete, queries, rows) : read.as(own);
        WrittenColumns written = WrittenColumns.whole(target.table());
        if (delete.using() != null) {
            // A row that matches several of the other side is still one row.
            List<NamedExpr> kept = new ArrayList<>();
            for (SchemaColumn column : written.columns()) {
                if (value(column, own) instanceof SlotReference slot) {
                    kept.add(slot);
                }
            }
            plan = new LogicalAggregate(kept, List.of(), plan);
        }
        List<NamedExpr> items = new ArrayList<>();
        for (SchemaColumn column : written.columns()) {
            items.add(new Alias(context.ids().next(), column.name(), value(column, own)));
        }
        return new BoundWrite(
                target.catalog(),
                target.database(),
                target.table(),
                written,
                new LogicalProject(items, plan),
                List.of(),
                target.partitions(delete.partitions()));
    }

    /** Binds a DELETE of another model; fails for what storage cannot decide row by row and alike on every replica. */
    public Predicate bindPredicate(Delete delete) {
        WriteTarget target = WriteTarget.of(delete.table(), "DELETE", context);
        if (delete.using() != null || !delete.with().isEmpty()) {
            throw refused(target, delete.using() != null ? "USING" : "WITH", delete);
        }
        QueryBinder queries = new QueryBinder(context);
        RelationBinder.Bound rows = target.scan(queries, delete.table(), delete.alias(), delete.partitions());
        LogicalFilter filter = filter(delete, queries, rows);
        boolean aggregate = target.table().keysModel() == KeysModel.AGGREGATE;
        for (Expr condition : filter.conditions()) {
            if (condition.anyMatch(node -> node instanceof Subquery)) {
                throw refused(target, "a subquery", delete);
            }
            condition.visit(node -> {
                if (node instanceof ScalarCall call && call.isVolatile()) {
                    throw refused(target, "the non-deterministic function " + call.name(), delete);
                }
                if (node instanceof AggregateCall call) {
                    throw refused(target, "the aggregate function " + call.name(), delete);
                }
            });
            for (SlotReference slot : condition.slots()) {
                if (aggregate && !target.table().getColumn(slot.name()).key()) {
                    throw Errors.at(
                            ErrorCode.INVALID_ARGUMENT,
                            "DELETE from an AGGREGATE KEY table takes conditions on key columns only; '" + slot.name()
                                    + "' is a value column",
                            delete.table().position());
                }
            }
        }
        requirePartition(delete, target, filter);
        return new Predicate(target.database(), target.table(), filter);
    }

    /** A DELETE that may reach every partition has to say so. */
    private void requirePartition(Delete delete, WriteTarget target, LogicalFilter filter) {
        List<String> columns = target.table().partitionSpec().columns();
        boolean chosen = columns.isEmpty()
                || delete.partitions() != null
                || filter.conditions().stream()
                        .flatMap(condition -> condition.slots().stream())
                        .anyMatch(slot -> columns.stream().anyMatch(slot.name()::equalsIgnoreCase));
        if (!chosen && !context.isOn("delete_without_partition", false)) {
            throw Errors.at(
                    ErrorCode.INVALID_ARGUMENT,
                    "Table '" + target.table().name()
                            + "' is partitioned: name a PARTITION, give a condition on its partition columns, or set"
                            + " delete_without_partition to true",
                    delete.table().position());
        }
    }

    private static LogicalFilter filter(Delete delete, QueryBinder queries, RelationBinder.Bound rows) {
        if (delete.where() == null) {
            throw Errors.at(
                    ErrorCode.INVALID_ARGUMENT,
                    "DELETE needs a WHERE clause",
                    delete.table().position());
        }
        Expr condition = queries.expressions(rows.scope(), "where clause").condition(delete.where());
        return new LogicalFilter(Conjuncts.split(condition), rows.plan());
    }

    private static RuntimeException refused(WriteTarget target, String what, Delete delete) {
        return Errors.at(
                ErrorCode.NOT_SUPPORTED,
                "DELETE with " + what + " is not supported on a "
                        + target.table().keysModel().sql() + " table, only on UNIQUE KEY tables",
                delete.table().position());
    }

    /** What a deleted row has in a column: its key and sequence, and elsewhere the cheapest value that fits. */
    private Expr value(SchemaColumn column, Scope own) {
        if (WriteTarget.isDeleteSign(column)) {
            return new Literal(1L, DataType.TINYINT);
        }
        if (!column.key() && !WriteTarget.isSequence(column)) {
            if (column.nullable()) {
                return Literal.nullOf(column.type());
            }
            if (column.defaultValue() != null) {
                return Defaults.of(column, context.session());
            }
            if (column.type().isNumeric()) {
                return Coercion.to(Literal.integer(0), column.type());
            }
            if (column.type().isText()) {
                return Literal.string("");
            }
        }
        return own.columns().stream()
                .map(Scope.Column::slot)
                .filter(slot -> slot.name().equals(column.name()))
                .findFirst()
                .orElseThrow();
    }
}
