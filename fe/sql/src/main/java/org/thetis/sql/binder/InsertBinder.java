// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.text.NearestNames;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.Coercion;
import org.thetis.sql.plan.LogicalPlan;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalValues;

/** Binds INSERT: the source's columns become those of the table, in table order, converted and completed with defaults. */
public final class InsertBinder {
    /** A bound INSERT: rows of exactly the table's columns. */
    public record Bound(String catalog, String database, OlapTable table, LogicalPlan rows, List<String> partitions) {}

    private final BindContext context;
    private final QueryBinder queries;
    private final boolean strict;

    public InsertBinder(BindContext context) {
        this.context = context;
        this.strict = context.session()
                .systemVariable(false, "enable_insert_strict")
                .map(value -> !value.isNeverTrue())
                .orElse(true);
        this.queries = new QueryBinder(context);
    }

    /** Binds the statement; fails for unknown columns, a wrong number of values, and columns that need one. */
    public Bound bind(Insert insert) {
        ResolvedTable.Stored target = target(insert.table());
        OlapTable table = target.table();
        List<SchemaColumn> named = columns(table, insert);
        boolean plainValues = insert.source().body() instanceof QueryBody.Values
                && insert.source().with().isEmpty()
                && insert.source().orderBy().isEmpty()
                && insert.source().limit() == null;
        LogicalPlan rows = plainValues
                ? values(table, named, (QueryBody.Values) insert.source().body())
                : select(table, named, queries.bind(insert.source()), insert);
        List<String> partitions = new ArrayList<>();
        if (insert.partitions() != null) {
            insert.partitions()
                    .names()
                    .forEach(name -> partitions.add(table.getPartition(name).name()));
        }
        return new Bound(target.catalog(), target.database(), table, rows, partitions);
    }

    private ResolvedTable.Stored target(QualifiedName name) {
        List<String> parts = name.parts();
        String table = parts.get(parts.size() - 1);
        String catalog = parts.size() > 2
                ? parts.get(parts.size() - 3)
                : context.session().currentCatalog();
        String database = parts.size() > 1
                ? parts.get(parts.size() - 2)
                : context.session()
                        .currentDatabase()
                        .orElseThrow(() ->
                                Errors.at(ErrorCode.NO_DATABASE_SELECTED, "No database selected", name.position()));
        ResolvedTable resolved = context.tables()
                .find(catalog, database, table)
                .orElseThrow(() -> Errors.at(
                        ErrorCode.UNKNOWN_TABLE,
                        "Unknown table '" + table + "' in database '" + database + "'"
                                + NearestNames.suggestion(
                                        table, context.tables().tableNames(catalog, database)),
                        name.position()));
        if (resolved instanceof ResolvedTable.Stored stored) {
            return stored;
        }
        throw Errors.at(
                ErrorCode.NOT_OLAP_TABLE, "INSERT needs a stored table, '" + table + "' is none", name.position());
    }

    private static List<SchemaColumn> columns(OlapTable table, Insert insert) {
        if (insert.columns().isEmpty()) {
            return table.baseIndex().visibleColumns();
        }
        List<SchemaColumn> columns = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        List<String> known = table.columns().stream().map(SchemaColumn::name).toList();
        for (String name : insert.columns()) {
            SchemaColumn column = table.findColumn(name)
                    .orElseThrow(() -> Errors.unknownColumn(name, "field list", known, insert.position()));
            if (!seen.add(column.name().toLowerCase(Locale.ROOT))) {
                throw Errors.at(
                        ErrorCode.DUPLICATE_COLUMN_IN_LIST, "Column '" + name + "' specified twice", insert.position());
            }
            columns.add(column);
        }
        for (SchemaColumn column : table.columns()) {
            if (!seen.contains(column.name().toLowerCase(Locale.ROOT))) {
                requireDefault(column);
            }
        }
        return columns;
    }

    private static void requireDefault(SchemaColumn column) {
        if (!column.isOptionalOnInsert()) {
            throw Errors.at(
                    ErrorCode.NO_DEFAULT_FOR_FIELD, "Field '" + column.name() + "' doesn't have a default value", null);
        }
    }

    /** What a column gets when the statement leaves it out. */
    Expr defaultOf(SchemaColumn column) {
        return Defaults.of(column, context.session());
    }

    private LogicalPlan values(OlapTable table, List<SchemaColumn> named, QueryBody.Values values) {
        ExprBinder binder = queries.expressions(Scope.empty(null), "values list");
        int[] source = sources(table, named);
        List<Expr> defaults = new ArrayList<>();
        table.columns()
                .forEach(column ->
                        defaults.add(column.isOptionalOnInsert() ? defaultOf(column) : Literal.nullOf(column.type())));
        List<List<Expr>> rows = new ArrayList<>(values.rows().size());
        for (List<Expression> given : values.rows()) {
            if (given.size() != named.size()) {
                throw Errors.at(
                        ErrorCode.COLUMN_COUNT_MISMATCH,
                        "Column count doesn't match value count: " + named.size() + " columns, row " + (rows.size() + 1)
                                + " has " + given.size(),
                        values.position());
            }
            List<Expr> row = new ArrayList<>(source.length);
            for (int i = 0; i < source.length; i++) {
                SchemaColumn column = table.columns().get(i);
                row.add(source[i] < 0 ? defaults.get(i) : value(binder, given.get(source[i]), column));
            }
            rows.add(row);
        }
        List<SlotReference> output = new ArrayList<>();
        table.columns()
                .forEach(column -> output.add(
                        new SlotReference(context.ids().next(), null, column.name(), column.type(), true, null)));
        return new LogicalValues(output, rows);
    }

    private Expr value(ExprBinder binder, Expression expression, SchemaColumn column) {
        if (expression instanceof Expression.DefaultMarker) {
            requireDefault(column);
            return defaultOf(column);
        }
        Expr given = binder.bind(expression);
        Expr bound = Coercion.to(given, column.type());
        if (strict && given instanceof Literal literal) {
            InsertValues.check(literal, bound, column, expression.position());
        }
        if (bound instanceof Literal literal && literal.isNull() && !column.nullable() && !column.autoIncrement()) {
            throw Errors.at(
                    ErrorCode.INSERT_FAILED, "Column '" + column.name() + "' cannot be null", expression.position());
        }
        return bound;
    }

    /** For every table column the position among the named ones, -1 for those left out. */
    private static int[] sources(OlapTable table, List<SchemaColumn> named) {
        int[] source = new int[table.columns().size()];
        for (int i = 0; i < source.length; i++) {
            source[i] = named.indexOf(table.columns().get(i));
        }
        return source;
    }

    private LogicalPlan select(OlapTable table, List<SchemaColumn> named, LogicalPlan query, Insert insert) {
        if (query.output().size() != named.size()) {
            throw Errors.at(
                    ErrorCode.COLUMN_COUNT_MISMATCH,
                    "Column count doesn't match value count: " + named.size() + " columns, the query gives "
                            + query.output().size(),
                    insert.position());
        }
        int[] source = sources(table, named);
        List<NamedExpr> items = new ArrayList<>();
        for (int i = 0; i < source.length; i++) {
            SchemaColumn column = table.columns().get(i);
            Expr value = source[i] < 0
                    ? defaultOf(column)
                    : Coercion.to(query.output().get(source[i]), column.type());
            items.add(new Alias(context.ids().next(), column.name(), value));
        }
        return new LogicalProject(items, query);
    }
}
