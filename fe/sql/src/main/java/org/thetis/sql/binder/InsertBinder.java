// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.thetis.base.error.ErrorCode;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.plan.LogicalPlan;
import org.thetis.sql.plan.WrittenColumns;

/** Binds INSERT: the source's columns become those the table is written by, in table order, converted and completed with defaults. */
public final class InsertBinder {
    private final BindContext context;
    private final QueryBinder queries;
    private final boolean strict;

    public InsertBinder(BindContext context) {
        this.context = context;
        this.strict = context.isOn("enable_insert_strict", true);
        this.queries = new QueryBinder(context);
    }

    /** Binds the statement; fails for unknown columns, a wrong number of values, and columns that need one. */
    public BoundWrite bind(Insert insert) {
        WriteTarget target = WriteTarget.of(insert.table(), "INSERT", context);
        List<SchemaColumn> named = named(target, insert);
        WrittenColumns written = written(target, named, insert);
        boolean plainValues = insert.source().body() instanceof QueryBody.Values
                && insert.source().with().isEmpty()
                && insert.source().orderBy().isEmpty()
                && insert.source().limit() == null;
        LogicalPlan rows;
        List<Integer> unconverted = List.of();
        if (plainValues) {
            InsertedValues.Bound bound = values(
                    target, written, named, (QueryBody.Values) insert.source().body());
            rows = bound.rows();
            unconverted = bound.unconverted();
        } else {
            LogicalPlan query = queries.bind(insert.source());
            RowBuilder row = select(target, written, named, query, insert);
            rows = row.over(query);
            unconverted = row.unconverted();
        }
        return new BoundWrite(
                target.catalog(),
                target.database(),
                target.table(),
                written,
                rows,
                unconverted,
                target.partitions(insert.partitions()));
    }

    /** Binds REPLACE, which means something only where rows with equal keys replace each other. */
    public BoundWrite bindReplace(Insert insert) {
        BoundWrite bound = bind(insert);
        if (bound.table().keysModel() != KeysModel.UNIQUE || bound.columns().partialUpdate()) {
            throw Errors.notSupported(
                    bound.columns().partialUpdate()
                            ? "REPLACE INTO with enable_unique_key_partial_update"
                            : "REPLACE INTO a " + bound.table().keysModel().sql() + " table",
                    insert.position());
        }
        return bound;
    }

    private static List<SchemaColumn> named(WriteTarget target, Insert insert) {
        OlapTable table = target.table();
        if (insert.columns().isEmpty()) {
            return table.baseIndex().visibleColumns();
        }
        List<SchemaColumn> columns = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        List<String> known = table.baseIndex().visibleColumns().stream()
                .map(SchemaColumn::name)
                .toList();
        for (String name : insert.columns()) {
            SchemaColumn column = table.findColumn(name)
                    .orElseThrow(() -> Errors.unknownColumn(name, "field list", known, insert.position()));
            if (HiddenColumns.isMadeByBackend(column)) {
                throw Errors.at(
                        ErrorCode.INVALID_ARGUMENT,
                        "Column '" + column.name() + "' is filled in by the storage engine and takes no values",
                        insert.position());
            }
            if (!seen.add(column.name().toLowerCase(Locale.ROOT))) {
                throw Errors.at(
                        ErrorCode.DUPLICATE_COLUMN_IN_LIST, "Column '" + name + "' specified twice", insert.position());
            }
            columns.add(column);
        }
        return columns;
    }

    /** What the sink gets: whole rows, or in a partial update the named columns. */
    private WrittenColumns written(WriteTarget target, List<SchemaColumn> named, Insert insert) {
        WrittenColumns whole = WrittenColumns.whole(target.table());
        boolean partial = context.isOn("enable_unique_key_partial_update", false)
                && target.table().keysModel() == KeysModel.UNIQUE
                && !named.containsAll(target.table().baseIndex().visibleColumns());
        if (!partial) {
            for (SchemaColumn column : whole.columns()) {
                if (!named.contains(source(target, named, column))) {
                    requireDefault(column);
                }
            }
            requireSequence(target, whole, named, insert);
            return whole;
        }
        if (!target.isMergeOnWrite()) {
            throw Errors.at(
                    ErrorCode.INVALID_ARGUMENT,
                    "Partial update is only allowed on a UNIQUE KEY table with merge-on-write",
                    insert.position());
        }
        for (SchemaColumn key : target.table().baseIndex().keyColumns()) {
            if (!named.contains(key)) {
                throw Errors.at(
                        ErrorCode.INVALID_ARGUMENT,
                        "Partial update should include all key columns, missing: " + key.name(),
                        insert.position());
            }
        }
        List<SchemaColumn> sent = whole.columns().stream()
                .filter(column -> named.contains(source(target, named, column)))
                .toList();
        return WrittenColumns.part(
                sent, strict, strict ? Map.of() : Defaults.ofAbsent(target.table(), sent, context.session()));
    }

    private void requireSequence(WriteTarget target, WrittenColumns whole, List<SchemaColumn> named, Insert insert) {
        boolean missing = target.mappedSequence().isEmpty()
                && whole.columns().stream()
                        .anyMatch(column -> WriteTarget.isSequence(column) && !named.contains(column));
        if (missing && context.isOn("require_sequence_in_insert", true)) {
            throw Errors.at(
                    ErrorCode.INVALID_ARGUMENT,
                    "Table " + target.table().name() + " has a sequence column; name " + HiddenColumns.SEQUENCE
                            + " in the column list and give its value",
                    insert.position());
        }
    }

    /** The column whose value a column takes: itself, or what the sequence is mapped to. */
    private static SchemaColumn source(WriteTarget target, List<SchemaColumn> named, SchemaColumn column) {
        return WriteTarget.isSequence(column) && !named.contains(column)
                ? target.mappedSequence().orElse(column)
                : column;
    }

    static void requireDefault(SchemaColumn column) {
        if (!column.isOptionalOnInsert()) {
            throw Errors.at(
                    ErrorCode.NO_DEFAULT_FOR_FIELD, "Field '" + column.name() + "' doesn't have a default value", null);
        }
    }

    private InsertedValues.Bound values(
            WriteTarget target, WrittenColumns written, List<SchemaColumn> named, QueryBody.Values values) {
        ExprBinder binder = queries.expressions(Scope.empty(null), "values list");
        List<SchemaColumn> sources = written.columns().stream()
                .map(column -> source(target, named, column))
                .toList();
        return new InsertedValues(context, binder, strict).bind(written.columns(), sources, named, values);
    }

    private RowBuilder select(
            WriteTarget target, WrittenColumns written, List<SchemaColumn> named, LogicalPlan query, Insert insert) {
        if (query.output().size() != named.size()) {
            throw Errors.at(
                    ErrorCode.COLUMN_COUNT_MISMATCH,
                    "Column count doesn't match value count: " + named.size() + " columns, the query gives "
                            + query.output().size(),
                    insert.position());
        }
        RowBuilder row = new RowBuilder(context.ids(), strict);
        for (SchemaColumn column : written.columns()) {
            SchemaColumn source = source(target, named, column);
            int at = named.indexOf(source);
            if (at < 0) {
                row.add(column, Defaults.of(source, context.session()));
            } else {
                row.converted(column, query.output().get(at), insert.position());
            }
        }
        return row;
    }
}
