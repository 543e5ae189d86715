// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.TableDescriptors;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Relation;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Cast;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.expr.WireExprs;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.lower.Planner;
import org.thetis.sql.lower.PlannerContext;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.Plan;
import org.thetis.wire.ThriftCodec;
import org.thetis.wire.thrift.LookupPlan;
import org.thetis.wire.thrift.QueryOptions;

/**
 * Decides whether a SELECT is a look-up by key, and plans it. Of an UPDATE or DELETE it plans the SELECT of what the change needs to
 * know of its rows. Safe to share.
 */
public final class PointPlanner {
    private static final String VARIABLE = "enable_short_circuit_query";

    /** Variables under which rows are shown that a look-up does not find, or replicas chosen by hand. */
    private static final List<String> STRANGE = List.of(
            "show_hidden_columns",
            "skip_delete_sign",
            "skip_delete_bitmap",
            "skip_delete_predicate",
            "skip_storage_engine_merge");

    private final Planner planner;

    public PointPlanner(Planner planner) {
        this.planner = planner;
    }

    /**
     * What a statement is planned for.
     *
     * @param now what the context's tables come from
     * @param scope whose plan it is; the context's session and variables are its
     * @param numParameters how many values each execution brings: those of the placeholders, or of the text's literals
     * @param literals which literals of the text are parameters
     */
    public record Request(
            Statement statement,
            CatalogSnapshot now,
            PlanScope scope,
            QueryOptions options,
            int numParameters,
            LiteralPlaces literals) {}

    /** Decides; never fails, so that a statement that is wrong in itself is told so by the full plan. */
    public PointDecision decide(Request request, PlannerContext context) {
        boolean[] namesKeys = new boolean[1];
        try {
            return plan(request, context, namesKeys);
        } catch (NotByKey none) {
            return PointDecision.no(String.valueOf(none.getMessage()), namesKeys[0]);
        } catch (ThetisException failure) {
            // The full plan fails alike, with the words for the client, or knows better.
            return PointDecision.no("it cannot be planned so: " + failure.getMessage(), namesKeys[0]);
        }
    }

    private PointDecision plan(Request request, PlannerContext context, boolean[] namesKeys) {
        boolean isQuery = request.statement() instanceof QueryStatement;
        QueryStatement statement = request.statement() instanceof QueryStatement known
                ? known
                : ChangedRows.query(request.statement(), planner, context);
        Query query = statement.query();
        QueryBody.Select select = simple(statement, query);
        Relation.Table relation = plainTable(select);
        ResolvedTable.Stored stored = table(relation, context);
        OlapTable table = stored.table();
        List<String> name = relation.name().parts();
        String alias = relation.alias() == null ? name.get(name.size() - 1) : relation.alias();
        PointShape shape = new PointShape(table, stored.database(), alias, request.literals());
        if (select.where() == null) {
            throw new NotByKey("there is no condition");
        }
        shape.read(select.where());
        namesKeys[0] = shape.numKeys() > 0 && table.keysModel() == KeysModel.UNIQUE;
        checkTable(table);
        if (!isQuery && table.shadowIndex().isPresent()) {
            throw new NotByKey("a schema change takes whole rows");
        }
        List<KeyTerm> terms = shape.terms();
        checkVariables(context);
        Scope scope = Scope.table(stored.database(), table.name());
        if (!request.now().accessChecker().has(request.scope().user(), scope, Privilege.SELECT)) {
            throw new NotByKey("the user may not read the table");
        }

        SteadyFacts facts = new SteadyFacts(context.session());
        PlannerContext steady = new PlannerContext(
                context.tables(), facts, context.cluster(), context.parameters(), context.variables());
        SortedMap<Integer, DataType> parameters = new TreeMap<>();
        shape.free()
                .forEach(
                        (ordinal, free) -> parameters.put(ordinal, free.column().type()));
        boolean single = shape.isSingle();
        Planner.RewrittenQuery rewritten =
                planner.rewrite(shape.remaining(query, select), steady, parameters, bound -> strip(bound, single));
        if (!facts.isSteady() || !rewritten.pause().isZero()) {
            throw new NotByKey("it depends on the time, the connection or user variables");
        }
        Set<Integer> open = new HashSet<>(shape.free().keySet());
        terms.forEach(term -> term.sources().forEach(source -> open.add(source.parameter())));
        open.remove(-1);
        List<PointPlan.Pinned> pinned = new ArrayList<>();
        for (int i = 0; i < context.parameters().size(); i++) {
            // What a change sets is bound anew each time.
            if (!open.contains(i) && (isQuery || rewritten.values().contains(i))) {
                pinned.add(new PointPlan.Pinned(i, context.parameters().get(i)));
            }
        }
        UUID id = UUID.randomUUID();
        byte[] wire = ThriftCodec.write(wire(rewritten, table, request.options()));
        PointPlan plan = new PointPlan(
                id.getMostSignificantBits(),
                id.getLeastSignificantBits(),
                wire,
                rewritten.outputs(),
                request.numParameters(),
                pinned,
                new PointBasis(request.now(), request.scope(), stored.database(), table),
                new KeyRouter(table, terms, List.copyOf(shape.free().values())));
        return new PointDecision(plan, null, true, open);
    }

    private static QueryBody.Select simple(QueryStatement statement, Query query) {
        if (statement.outfile() != null
                || !query.with().isEmpty()
                || !(query.body() instanceof QueryBody.Select select)
                || select.distinct()
                || select.groupBy() != null
                || select.having() != null
                || select.qualify() != null) {
            throw new NotByKey("it is more than a projection and a filter of one table");
        }
        if (!select.hints().isEmpty()) {
            throw new NotByKey("it has hints");
        }
        return select;
    }

    private static Relation.Table plainTable(QueryBody.Select select) {
        if (!(select.from() instanceof Relation.Table table)) {
            throw new NotByKey("it is more than a projection and a filter of one table");
        }
        if (!table.columnAliases().isEmpty()
                || table.index() != null
                || table.snapshot() != null
                || table.partitions() != null
                || !table.tabletIds().isEmpty()
                || table.sample() != null
                || table.scanParameterKind() != null
                || !table.hints().isEmpty()) {
            throw new NotByKey("it names a part of the table");
        }
        return table;
    }

    private static ResolvedTable.Stored table(Relation.Table relation, PlannerContext context) {
        List<String> parts = relation.name().parts();
        int count = parts.size();
        String catalog = count > 2 ? parts.get(count - 3) : context.session().currentCatalog();
        Optional<String> database = count > 1
                ? Optional.of(parts.get(count - 2))
                : context.session().currentDatabase();
        Optional<ResolvedTable> found =
                database.flatMap(known -> context.tables().find(catalog, known, parts.get(count - 1)));
        if (found.isPresent() && found.get() instanceof ResolvedTable.Stored stored) {
            return stored;
        }
        throw new NotByKey("it does not name a stored table");
    }

    private static void checkTable(OlapTable table) {
        if (table.keysModel() != KeysModel.UNIQUE || !table.properties().mergeOnWrite()) {
            throw new NotByKey("the table is not a merge-on-write UNIQUE table");
        }
        for (SchemaColumn column : table.baseIndex().keyColumns()) {
            if (!KeyColumn.isSupported(column.type())) {
                throw new NotByKey("key column " + column.name() + " is of type " + column.type());
            }
        }
        if (!KeyRouter.canRoute(table)) {
            throw new NotByKey("tablets are not chosen by the keys");
        }
    }

    private static void checkVariables(PlannerContext context) {
        if ("false".equals(context.variables().get(VARIABLE))) {
            throw new NotByKey(VARIABLE + " is false");
        }
        for (String name : STRANGE) {
            if ("true".equals(context.variables().get(name))) {
                throw new NotByKey(name + " is true");
            }
        }
        if (!context.variables().getOrDefault("use_fix_replica", "-1").equals("-1")) {
            throw new NotByKey("use_fix_replica is set");
        }
    }

    /** Leaves out what orders or limits rows where there is one at most. */
    private static Plan strip(Plan plan, boolean single) {
        if (plan instanceof LogicalLimit limit) {
            if (!single || limit.offset() != 0 || limit.limit() == 0) {
                throw new NotByKey("LIMIT or OFFSET leaves out rows");
            }
            return strip(limit.child(), true);
        }
        if (plan instanceof LogicalSort sort) {
            if (!single) {
                throw new NotByKey("ORDER BY of several rows");
            }
            return strip(sort.child(), true);
        }
        return plan instanceof LogicalProject project ? project.withChild(strip(project.child(), single)) : plan;
    }

    private static LookupPlan wire(Planner.RewrittenQuery query, OlapTable table, QueryOptions options) {
        Plan plan = query.plan();
        List<? extends Expr> outputs = plan.output();
        if (plan instanceof LogicalProject project) {
            outputs = project.items();
            plan = project.child();
        }
        List<Expr> conjuncts = new ArrayList<>();
        if (plan instanceof LogicalFilter filter) {
            filter.conditions().stream()
                    .filter(condition -> !isDeleteSign(condition))
                    .forEach(conjuncts::add);
            plan = filter.child();
        }
        if (!(plan instanceof LogicalScan scan)) {
            throw new NotByKey("it is more than a projection and a filter of one table");
        }
        outputs.forEach(PointPlanner::checkSteady);
        conjuncts.forEach(PointPlanner::checkSteady);
        List<SlotReference> read = read(scan, outputs, conjuncts);
        List<SlotReference> input = new ArrayList<>(read);
        input.addAll(query.parameters());
        WireExprs exprs = new WireExprs(input);
        LookupPlan wire = new LookupPlan(
                TableDescriptors.tabletSchema(table, table.baseIndex()),
                read.stream()
                        .map(slot -> table.getColumn(slot.name()).uniqueId())
                        .toList(),
                query.parameters().stream()
                        .map(slot -> slot.type().toThrift(false))
                        .toList(),
                exprs.all(outputs),
                options);
        if (!conjuncts.isEmpty()) {
            wire.setConjuncts(exprs.all(conjuncts));
        }
        return wire;
    }

    /** The columns that are used once the delete sign, which look-ups know of themselves, is left out. */
    private static List<SlotReference> read(LogicalScan scan, List<? extends Expr> outputs, List<Expr> conjuncts) {
        Set<SlotReference> used = new HashSet<>();
        outputs.forEach(output -> used.addAll(output.slots()));
        conjuncts.forEach(conjunct -> used.addAll(conjunct.slots()));
        return scan.output().stream().filter(used::contains).toList();
    }

    private static boolean isDeleteSign(Expr condition) {
        return Calls.is(condition, "eq")
                && condition.children().get(0) instanceof SlotReference slot
                && slot.name().equals(HiddenColumns.DELETE_SIGN)
                && condition.children().get(1) instanceof Literal literal
                && !literal.isNull()
                && literal.longValue() == 0;
    }

    private static void checkSteady(Expr expression) {
        expression.visit(node -> {
            if (node instanceof Subquery) {
                throw new NotByKey("it has a subquery");
            }
            boolean changes = node instanceof ScalarCall call && call.isVolatile()
                    || node instanceof Cast cast
                            && cast.child().type().id() == TypeId.TIME
                            && cast.type().isDateLike();
            if (changes) {
                throw new NotByKey("it depends on the time or on chance");
            }
        });
    }

    /** For statements whose literals are part of them. */
    public static LiteralPlaces noLiterals() {
        return (position, value) -> -1;
    }

    /** Why these values are not looked up by key although the plan is; null when they are. */
    public static @Nullable String refusal(PointPlan plan, CatalogSnapshot now, List<Literal> parameters) {
        return plan.bind(now, parameters) == null ? "a key is compared with a value of another kind" : null;
    }
}
