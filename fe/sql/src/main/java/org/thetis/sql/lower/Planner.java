// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.ColumnStatistics;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.dml.Delete;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.ast.dml.Replace;
import org.thetis.sql.ast.dml.Update;
import org.thetis.sql.binder.BindContext;
import org.thetis.sql.binder.BoundQueries;
import org.thetis.sql.binder.BoundWrite;
import org.thetis.sql.binder.DeleteBinder;
import org.thetis.sql.binder.InsertBinder;
import org.thetis.sql.binder.JoinedInserts;
import org.thetis.sql.binder.QueryBinder;
import org.thetis.sql.binder.ReadRows;
import org.thetis.sql.binder.UpdateBinder;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.functions.FunctionCatalog;
import org.thetis.sql.functions.FunctionResolver;
import org.thetis.sql.optimizer.Optimizer;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.stats.Estimator;
import org.thetis.sql.stats.TableRows;

/** From a parsed statement to fragments: bind, rewrite, choose places, implement, lower. Safe to share between threads. */
public final class Planner {
    private final FunctionResolver functions;
    private final Optimizer optimizer = new Optimizer();
    private final BoundQueries queries = new BoundQueries();

    public Planner(FunctionCatalog catalog) {
        this.functions = new FunctionResolver(catalog);
    }

    /** The functions statements may call. */
    public FunctionResolver functions() {
        return functions;
    }

    /** The queries that need not be bound again. */
    public BoundQueries boundQueries() {
        return queries;
    }

    /** Plans a query or a statement that writes rows; others fail with NOT_SUPPORTED. */
    public PlannedQuery plan(Statement statement, PlannerContext context) {
        BindContext binding = binding(context);
        if (statement instanceof QueryStatement query) {
            if (query.outfile() != null) {
                throw ThetisException.notSupported("INTO OUTFILE");
            }
            Plan bound = RowLimits.apply(query.query(), queries.bind(query.query(), binding), context.variables());
            return finish(bound, binding, context, null, List.of());
        }
        if (statement instanceof Insert insert) {
            BoundWrite bound = new InsertBinder(binding).bind(insert);
            return write(bound, insert.label(), insert.overwrite(), binding, context);
        }
        if (statement instanceof Replace replace) {
            BoundWrite bound = new InsertBinder(binding).bindReplace(replace.insert());
            return write(bound, replace.insert().label(), false, binding, context);
        }
        if (statement instanceof Update update) {
            return write(new UpdateBinder(binding).bind(update), null, false, binding, context);
        }
        if (statement instanceof Delete delete) {
            DeleteBinder binder = new DeleteBinder(binding);
            return binder.isPredicate(delete)
                    ? deletion(binder.bindPredicate(delete), binding, context)
                    : write(binder.bindRows(delete), null, false, binding, context);
        }
        throw ThetisException.notSupported("planning of " + statement.getClass().getSimpleName());
    }

    /**
     * A query that is rewritten but has no places yet.
     *
     * @param parameters the columns that parameters were bound as, in the order asked for
     * @param values ordinals of the parameters whose values are part of the plan
     */
    public record RewrittenQuery(
            Plan plan,
            List<OutputColumn> outputs,
            List<TableAccess> tables,
            Duration pause,
            List<SlotReference> parameters,
            Set<Integer> values) {}

    /**
     * Binds and rewrites a query whose parameters of the given ordinals are columns of the given types, never NULL.
     *
     * @param simplify what may be left out of the bound plan, since the caller knows more of its rows
     */
    public RewrittenQuery rewrite(
            Query query,
            PlannerContext context,
            SortedMap<Integer, DataType> parameters,
            UnaryOperator<Plan> simplify) {
        BindContext binding = binding(context);
        Map<Integer, SlotReference> slots = new TreeMap<>();
        parameters.forEach((ordinal, type) ->
                slots.put(ordinal, new SlotReference(binding.ids().next(), null, "?" + ordinal, type, false, null)));
        binding.bindAsSlots(slots);
        Plan bound = RowLimits.apply(query, new QueryBinder(binding).bind(query), context.variables());
        List<OutputColumn> outputs = new ArrayList<>();
        bound.output().forEach(slot -> outputs.add(column(slot)));
        Plan rewritten =
                optimizer.rewrite(simplify.apply(bound), rules(binding, context, new Placement(context.cluster())));
        return new RewrittenQuery(
                rewritten,
                outputs,
                accesses(binding),
                Duration.ofSeconds(binding.sleepSeconds()),
                List.copyOf(slots.values()),
                binding.parameterValues());
    }

    /**
     * The columns that an UPDATE or DELETE of a UNIQUE table takes values from to write its rows, its condition aside; empty when it
     * reads more than its table, or is another statement.
     */
    public List<SlotReference> columnsRead(Statement change, PlannerContext context) {
        boolean onlyTable = change instanceof Update update && update.from() == null
                || change instanceof Delete delete && delete.using() == null && delete.partitions() == null;
        BindContext binding = binding(context);
        if (!onlyTable
                || change instanceof Delete delete && new DeleteBinder(binding).isPredicate(delete)
                || !(bindChange(change, binding, null).rows() instanceof LogicalProject project)
                || project.items().stream().anyMatch(item -> item.anyMatch(node -> node instanceof Subquery))) {
            return List.of();
        }
        Set<SlotReference> used = new LinkedHashSet<>();
        project.items().forEach(item -> used.addAll(item.slots()));
        return List.copyOf(used);
    }

    /**
     * Plans the writes of an UPDATE or DELETE whose rows were read already; empty when it needs more of them than was read. Their
     * condition is not looked at again.
     */
    public Optional<PlannedQuery> planRead(Statement change, ReadRows rows, PlannerContext context) {
        BindContext binding = binding(context);
        BoundWrite bound = bindChange(change, binding, rows);
        boolean complete = bound.rows() instanceof LogicalProject project
                && project.child() instanceof LogicalValues values
                && project.items().stream().allMatch(item -> values.output().containsAll(item.slots()));
        return complete ? Optional.of(write(bound, null, false, binding, context)) : Optional.empty();
    }

    private static BoundWrite bindChange(Statement change, BindContext binding, @Nullable ReadRows rows) {
        if (change instanceof Update update) {
            return new UpdateBinder(binding).bind(update, rows);
        }
        if (change instanceof Delete delete) {
            return new DeleteBinder(binding).bindRows(delete, rows);
        }
        throw ThetisException.notSupported("planning of " + change.getClass().getSimpleName() + " by rows");
    }

    /** Binds an INSERT of plain rows, to be written later; empty for any other source and for partial updates. */
    public Optional<BoundWrite> bindRows(Insert insert, PlannerContext context) {
        BoundWrite bound = new InsertBinder(binding(context)).bind(insert);
        boolean plain = !bound.columns().partialUpdate()
                && bound.rows() instanceof LogicalValues values
                && values.rows().stream()
                        .flatMap(List::stream)
                        .noneMatch(value -> value.anyMatch(node -> node instanceof Subquery));
        return plain ? Optional.of(bound) : Optional.empty();
    }

    /** Plans bound INSERTs of plain rows into one table as one write, in their order, into the table as it is now. */
    public PlannedQuery planTogether(List<BoundWrite> inserts, OlapTable table, String label, PlannerContext context) {
        BindContext binding = binding(context);
        BoundWrite together = JoinedInserts.of(inserts, table, binding.ids());
        return write(together, label, false, binding, context);
    }

    private BindContext binding(PlannerContext context) {
        return new BindContext(context.tables(), context.session(), functions, context.parameters(), new ExprIds());
    }

    private PlannedQuery write(
            BoundWrite bound, @Nullable String label, boolean overwrite, BindContext binding, PlannerContext context) {
        InsertTarget target = new InsertTarget(
                bound.catalog(),
                bound.database(),
                bound.table(),
                bound.columns(),
                bound.unconverted(),
                label,
                overwrite);
        return finish(bound.rows(), binding, context, target, bound.partitions());
    }

    private PlannedQuery deletion(DeleteBinder.Predicate bound, BindContext binding, PlannerContext context) {
        Plan rewritten = optimizer.rewrite(bound.rows(), rules(binding, context, new Placement(context.cluster())));
        return PlannedDeletion.of(bound, rewritten, accesses(binding));
    }

    private RuleContext rules(BindContext binding, PlannerContext context, Placement placement) {
        Estimator estimator = new Estimator(new TableRows() {
            @Override
            public OptionalLong rows(long tabletId) {
                return context.cluster().tabletRows(tabletId);
            }

            @Override
            public Map<Integer, ColumnStatistics> columns(OlapTable table, Set<Integer> uniqueIds) {
                return context.cluster().columnStatistics(table, uniqueIds);
            }
        });
        return new RuleContext(binding.ids(), functions, estimator, placement, context.variables());
    }

    private static int fixedReplica(PlannerContext context) {
        try {
            return Integer.parseInt(context.variables().getOrDefault("use_fix_replica", "-1"));
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }

    private static List<TableAccess> accesses(BindContext binding) {
        return binding.met().stream()
                .map(met -> new TableAccess(met.catalog(), met.database(), met.table()))
                .toList();
    }

    private PlannedQuery finish(
            Plan bound,
            BindContext binding,
            PlannerContext context,
            @Nullable InsertTarget target,
            List<String> partitions) {
        Placement placement = new Placement(context.cluster(), fixedReplica(context));
        RuleContext rules = rules(binding, context, placement);
        List<OutputColumn> outputs = new ArrayList<>();
        if (target == null) {
            bound.output().forEach(slot -> outputs.add(column(slot)));
        }
        Plan rewritten = optimizer.rewrite(bound, rules);
        placement.assign(rewritten);
        PhysicalPlan physical = optimizer.implement(rewritten, rules);
        if (target == null && !physical.distribution().isSingle()) {
            physical = PhysicalExchange.to(Distribution.SINGLE, physical);
        }
        PlannedStatement.Stages stages = new PlannedStatement.Stages(bound, rewritten, physical);
        return new PlannedStatement(
                outputs,
                accesses(binding),
                stages,
                placement,
                context.cluster(),
                target,
                partitions,
                Duration.ofSeconds(binding.sleepSeconds()));
    }

    private static OutputColumn column(SlotReference slot) {
        return new OutputColumn(slot.name(), slot.type(), slot.nullable(), slot.qualifier(), slot.origin());
    }
}
