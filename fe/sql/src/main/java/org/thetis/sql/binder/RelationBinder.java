// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.SourcePosition;
import org.thetis.base.text.NearestNames;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Relation;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.ColumnOrigin;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.parser.SqlParser;
import org.thetis.sql.plan.JoinHint;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalPlan;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.LogicalTableFunction;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.ScanSelection;
import org.thetis.sql.plan.TableReference;

/** Binds what stands in FROM: tables, views, WITH names, derived tables, table functions and joins of them. */
final class RelationBinder {
    /** A relation's plan and the names its columns have. */
    record Bound(LogicalPlan plan, Scope scope) {}

    private final QueryBinder queries;
    private final BindContext context;
    private final @Nullable Scope outer;

    RelationBinder(QueryBinder queries, @Nullable Scope outer) {
        this.queries = queries;
        this.context = queries.context();
        this.outer = outer;
    }

    Bound bind(Relation relation) {
        if (relation instanceof Relation.Table table) {
            return table(table);
        }
        if (relation instanceof Relation.Subquery subquery) {
            if (subquery.alias() == null) {
                throw Errors.at(
                        ErrorCode.DERIVED_TABLE_ALIAS,
                        "Every derived table must have its own alias",
                        subquery.position());
            }
            return derived(
                    queries.bindNested(subquery.query(), outer), subquery.alias(), subquery.columnAliases(), subquery);
        }
        if (relation instanceof Relation.Join join) {
            return join(join);
        }
        if (relation instanceof Relation.TableFunction function) {
            return tableFunction(function);
        }
        throw Errors.notSupported("LATERAL VIEW", relation.position());
    }

    /** A query's result under an alias, with columns renamed when names are given. */
    private Bound derived(LogicalPlan plan, String alias, List<String> names, Relation relation) {
        if (!names.isEmpty() && names.size() != plan.output().size()) {
            throw Errors.at(
                    ErrorCode.COLUMN_COUNT_MISMATCH,
                    "'" + alias + "' has " + plan.output().size() + " columns, " + names.size() + " names are given",
                    relation.position());
        }
        List<NamedExpr> items = new ArrayList<>();
        boolean changed = false;
        Set<SlotReference> seen = new HashSet<>();
        for (int i = 0; i < plan.output().size(); i++) {
            SlotReference slot = plan.output().get(i);
            String name = names.isEmpty() ? slot.name() : names.get(i);
            boolean same = name.equals(slot.name()) && seen.add(slot);
            changed |= !same;
            items.add(same ? slot : new Alias(context.ids().next(), name, slot));
        }
        LogicalPlan renamed = changed ? new LogicalProject(items, plan) : plan;
        List<SlotReference> slots =
                renamed.output().stream().map(slot -> slot.withQualifier(alias)).toList();
        return new Bound(renamed, Scope.of(alias, slots, outer));
    }

    private Bound table(Relation.Table table) {
        List<String> parts = table.name().parts();
        String name = parts.get(parts.size() - 1);
        String alias = table.alias() == null ? name : table.alias();
        if (parts.size() == 1) {
            QueryBinder.Named named = queries.namedQuery(name);
            if (named != null) {
                if (named.binder() == null) {
                    throw Errors.notSupported("WITH RECURSIVE", table.position());
                }
                LogicalPlan plan = named.binder().bindNested(named.definition().query(), null);
                Bound inner = derived(plan, name, named.definition().columns(), table);
                return derived(inner.plan(), alias, table.columnAliases(), table);
            }
            if (name.equalsIgnoreCase("dual")) {
                return new Bound(LogicalValues.oneRow(), Scope.empty(outer));
            }
        }
        String catalog = parts.size() > 2
                ? parts.get(parts.size() - 3)
                : context.session().currentCatalog();
        String database = parts.size() > 1
                ? parts.get(parts.size() - 2)
                : context.session()
                        .currentDatabase()
                        .orElseThrow(() ->
                                Errors.at(ErrorCode.NO_DATABASE_SELECTED, "No database selected", table.position()));
        ResolvedTable resolved = context.tables()
                .find(catalog, database, name)
                .orElseThrow(() -> Errors.at(
                        ErrorCode.UNKNOWN_TABLE,
                        "Unknown table '" + name + "' in database '" + database + "'"
                                + NearestNames.suggestion(name, context.tables().tableNames(catalog, database)),
                        table.position()));
        context.met().add(new BindContext.Met(catalog, database, name));
        if (resolved instanceof ResolvedTable.Stored stored) {
            return stored(stored, alias, table);
        }
        if (resolved instanceof ResolvedTable.View view) {
            return view(view, alias, table);
        }
        return rows((ResolvedTable.Rows) resolved, alias);
    }

    private Bound stored(ResolvedTable.Stored stored, String alias, Relation.Table relation) {
        if (relation.snapshot() != null || relation.sample() != null) {
            throw Errors.notSupported(
                    relation.snapshot() != null ? "FOR VERSION|TIME AS OF" : "TABLESAMPLE", relation.position());
        }
        Bound scan = scan(
                stored,
                alias,
                relation,
                context.isOn("skip_delete_sign", false) || context.isOn("show_hidden_columns", false));
        if (!relation.columnAliases().isEmpty()) {
            List<NamedExpr> visible = scan.scope().star(List.of()).stream()
                    .map(column -> (NamedExpr) column.slot())
                    .toList();
            return derived(new LogicalProject(visible, scan.plan()), alias, relation.columnAliases(), relation);
        }
        return scan;
    }

    /**
     * Rows of a stored table. Hidden columns are found by their names, and are part of a star if the session says so.
     *
     * @param withDeleted whether rows whose delete sign is set are given too
     */
    Bound scan(ResolvedTable.Stored stored, String alias, Relation.Table relation, boolean withDeleted) {
        OlapTable table = stored.table();
        boolean shown = context.isOn("show_hidden_columns", false);
        List<SlotReference> output = new ArrayList<>();
        List<Scope.Column> columns = new ArrayList<>();
        for (SchemaColumn column : table.columns()) {
            ColumnOrigin origin = new ColumnOrigin(stored.database(), table.name(), column.name());
            SlotReference slot = new SlotReference(
                    context.ids().next(), alias, column.name(), column.type(), column.nullable(), origin);
            output.add(slot);
            Scope.Reach reach = column.visible() || shown ? Scope.Reach.PLAIN : Scope.Reach.NAMED;
            columns.add(new Scope.Column(stored.database(), alias, slot, reach));
        }
        List<Partition> partitions = new ArrayList<>();
        if (relation.partitions() == null || relation.partitions().all()) {
            partitions.addAll(table.partitions().values());
        } else {
            boolean temporary = relation.partitions().temporary();
            relation.partitions().names().forEach(name -> partitions.add(table.getPartition(name, temporary)));
        }
        ScanSelection selection = new ScanSelection(
                partitions, relation.tabletIds().isEmpty() ? null : Set.copyOf(relation.tabletIds()), List.of());
        LogicalPlan scan = new LogicalScan(
                new TableReference(stored.catalog(), stored.database(), table, alias), selection, output);
        if (!withDeleted) {
            for (SlotReference slot : output) {
                if (slot.name().equals(HiddenColumns.DELETE_SIGN)) {
                    scan = new LogicalFilter(
                            List.of(ExprBinder.compare("eq", slot, new Literal(0L, DataType.TINYINT))), scan);
                }
            }
        }
        return new Bound(scan, new Scope(columns, outer));
    }

    private Bound view(ResolvedTable.View view, String alias, Relation.Table relation) {
        Statement statement = new SqlParser().parse(view.sql());
        if (!(statement instanceof QueryStatement query)) {
            throw Errors.analysis("the definition of view '" + view.name() + "' is no query", relation.position());
        }
        // A view knows nothing of the WITH names around it.
        LogicalPlan plan = new QueryBinder(context).bindNested(query.query(), null);
        Bound inner = derived(plan, view.name(), view.columnNames(), relation);
        return derived(inner.plan(), alias, relation.columnAliases(), relation);
    }

    private Bound rows(ResolvedTable.Rows table, String alias) {
        List<SlotReference> output = new ArrayList<>();
        List<Scope.Column> columns = new ArrayList<>();
        for (ResolvedTable.Column column : table.columns()) {
            ColumnOrigin origin = new ColumnOrigin(table.database(), table.name(), column.name());
            SlotReference slot = new SlotReference(
                    context.ids().next(), alias, column.name(), column.type(), column.nullable(), origin);
            output.add(slot);
            columns.add(new Scope.Column(table.database(), alias, slot));
        }
        List<List<Expr>> rows = new ArrayList<>();
        for (List<Literal> row : table.rows().get()) {
            rows.add(List.copyOf(row));
        }
        return new Bound(new LogicalValues(output, rows), new Scope(columns, outer));
    }

    private Bound tableFunction(Relation.TableFunction function) {
        String name =
                function.name().parts().get(function.name().parts().size() - 1).toLowerCase(Locale.ROOT);
        if (!name.equals("numbers")) {
            throw Errors.notSupported("table function " + name, function.position());
        }
        if (!function.properties().containsKey("number")) {
            throw Errors.analysis("numbers needs the property 'number'", function.position());
        }
        for (Map.Entry<String, String> property : function.properties().entrySet()) {
            if (!property.getKey().equals("backend_num") && !property.getValue().matches("-?\\d{1,18}")) {
                throw Errors.analysis(
                        "property '" + property.getKey() + "' of numbers must be an integer: '" + property.getValue()
                                + "'",
                        function.position());
            }
        }
        SlotReference slot = new SlotReference(context.ids().next(), null, "number", DataType.BIGINT, false, null);
        LogicalPlan plan = new LogicalTableFunction(name, function.properties(), List.of(slot));
        return derived(plan, function.alias() == null ? name : function.alias(), function.columnAliases(), function);
    }

    private Bound join(Relation.Join join) {
        Bound left = bind(join.left());
        Bound right = bind(join.right());
        checkNames(left.scope(), right.scope(), join.position());
        JoinKind kind =
                switch (join.kind()) {
                    case INNER, CROSS -> JoinKind.INNER;
                    case LEFT_OUTER -> JoinKind.LEFT_OUTER;
                    case RIGHT_OUTER -> JoinKind.RIGHT_OUTER;
                    case FULL_OUTER -> JoinKind.FULL_OUTER;
                    case LEFT_SEMI -> JoinKind.LEFT_SEMI;
                    case RIGHT_SEMI -> JoinKind.RIGHT_SEMI;
                    case LEFT_ANTI -> JoinKind.LEFT_ANTI;
                    case RIGHT_ANTI -> JoinKind.RIGHT_ANTI;
                    case NULL_AWARE_LEFT_ANTI -> JoinKind.NULL_AWARE_LEFT_ANTI;
                };
        Scope both = left.scope().join(right.scope());
        List<Expr> conditions = new ArrayList<>();
        if (join.on() != null) {
            conditions.addAll(
                    Conjuncts.split(queries.expressions(both, "on clause").condition(join.on())));
        }
        List<String> using = join.natural() ? sharedNames(left.scope(), right.scope()) : join.using();
        if (kind != JoinKind.INNER && join.on() == null && join.using().isEmpty() && !join.natural()) {
            throw Errors.analysis(kind.text() + " needs ON or USING", join.position());
        }
        List<SlotReference> hidden = new ArrayList<>();
        List<SlotReference> leftKeys = new ArrayList<>();
        List<SlotReference> rightKeys = new ArrayList<>();
        for (String name : using) {
            SlotReference a = usingColumn(left.scope(), name, join);
            SlotReference b = usingColumn(right.scope(), name, join);
            conditions.add(ExprBinder.compare("eq", a, b));
            leftKeys.add(a);
            rightKeys.add(b);
            hidden.add(kind == JoinKind.RIGHT_OUTER ? a : b);
        }
        JoinHint hint = join.distribution() == null
                ? JoinHint.NONE
                : join.distribution().equals("BROADCAST") ? JoinHint.BROADCAST : JoinHint.SHUFFLE;
        LogicalPlan plan = new LogicalJoin(kind, conditions, hint, left.plan(), right.plan());
        List<Scope.Column> columns = new ArrayList<>();
        both.columns().stream()
                .filter(column -> plan.output().contains(column.slot()))
                .forEach(column -> columns.add(hidden.contains(column.slot()) ? column.asQualified() : column));
        if (kind == JoinKind.FULL_OUTER && !using.isEmpty()) {
            return coalesced(plan, new Scope(columns, outer).withSlots(plan.output()), leftKeys, rightKeys);
        }
        return new Bound(plan, new Scope(columns, outer).withSlots(plan.output()));
    }

    /** A full join on equal names: the shared column is whichever side has a value; it stands where the left one stood. */
    private Bound coalesced(LogicalPlan join, Scope scope, List<SlotReference> left, List<SlotReference> right) {
        List<NamedExpr> items = new ArrayList<>(join.output());
        List<Scope.Column> columns = new ArrayList<>();
        for (Scope.Column column : scope.columns()) {
            int key = left.indexOf(column.slot());
            if (key < 0 || column.reach() == Scope.Reach.QUALIFIED) {
                columns.add(column);
                continue;
            }
            SlotReference other = join.output().get(join.output().indexOf(right.get(key)));
            Alias merged = new Alias(
                    context.ids().next(),
                    column.slot().name(),
                    context.functions().scalar("coalesce", List.of(column.slot(), other)));
            items.add(merged);
            columns.add(new Scope.Column(null, null, merged.toSlot()));
            columns.add(column.asQualified());
        }
        return new Bound(new LogicalProject(items, join), new Scope(columns, outer));
    }

    /** Names that visible columns of both sides have, in the order of the left side. */
    private static List<String> sharedNames(Scope left, Scope right) {
        Set<String> others = new HashSet<>();
        right.columns().stream()
                .filter(column -> column.reach() == Scope.Reach.PLAIN)
                .forEach(column -> others.add(column.slot().name().toLowerCase(Locale.ROOT)));
        return left.columns().stream()
                .filter(column -> column.reach() == Scope.Reach.PLAIN)
                .map(column -> column.slot().name())
                .filter(name -> others.contains(name.toLowerCase(Locale.ROOT)))
                .distinct()
                .toList();
    }

    /** Every pair of rows of two relations. */
    static Bound cross(Bound left, Bound right, Relation relation) {
        checkNames(left.scope(), right.scope(), relation.position());
        LogicalPlan plan = new LogicalJoin(JoinKind.INNER, List.of(), left.plan(), right.plan());
        return new Bound(plan, left.scope().join(right.scope()));
    }

    private static SlotReference usingColumn(Scope scope, String name, Relation.Join join) {
        return scope.findLocal(List.of(name), join.position())
                .orElseThrow(() -> Errors.unknownColumn(name, "from clause", scope.names(), join.position()));
    }

    private static void checkNames(Scope left, Scope right, SourcePosition position) {
        Set<String> names = new HashSet<>();
        left.columns().forEach(column -> names.add(column.database() + "." + column.qualifier()));
        for (Scope.Column column : right.columns()) {
            if (column.qualifier() != null && names.contains(column.database() + "." + column.qualifier())) {
                throw Errors.at(
                        ErrorCode.DUPLICATE_ALIAS, "Not unique table/alias: '" + column.qualifier() + "'", position);
            }
        }
    }
}
