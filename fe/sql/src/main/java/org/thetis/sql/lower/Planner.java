// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.binder.BindContext;
import org.thetis.sql.binder.InsertBinder;
import org.thetis.sql.binder.QueryBinder;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.FunctionCatalog;
import org.thetis.sql.functions.FunctionResolver;
import org.thetis.sql.optimizer.Optimizer;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.stats.Estimator;

/** From a parsed statement to fragments: bind, rewrite, choose places, implement, lower. Safe to share between threads. */
public final class Planner {
    private final FunctionResolver functions;
    private final Optimizer optimizer = new Optimizer();

    public Planner(FunctionCatalog catalog) {
        this.functions = new FunctionResolver(catalog);
    }

    /** The functions statements may call. */
    public FunctionResolver functions() {
        return functions;
    }

    /** Plans a query or an INSERT; other statements fail with NOT_SUPPORTED. */
    public PlannedQuery plan(Statement statement, PlannerContext context) {
        ExprIds ids = new ExprIds();
        BindContext binding =
                new BindContext(context.tables(), context.session(), functions, context.parameters(), ids);
        if (statement instanceof QueryStatement query) {
            if (query.outfile() != null) {
                throw ThetisException.notSupported("INTO OUTFILE");
            }
            Plan bound = new QueryBinder(binding).bind(query.query());
            return finish(bound, binding, context, null, List.of());
        }
        if (statement instanceof Insert insert) {
            InsertBinder.Bound bound = new InsertBinder(binding).bind(insert);
            InsertTarget target = new InsertTarget(
                    bound.catalog(), bound.database(), bound.table(), insert.label(), insert.overwrite());
            return finish(bound.rows(), binding, context, target, bound.partitions());
        }
        throw ThetisException.notSupported("planning of " + statement.getClass().getSimpleName());
    }

    private PlannedQuery finish(
            Plan bound,
            BindContext binding,
            PlannerContext context,
            @Nullable InsertTarget target,
            List<String> partitions) {
        Placement placement = new Placement(context.cluster());
        Map<String, String> variables = context.variables();
        Estimator estimator = new Estimator(context.cluster()::tabletRows);
        RuleContext rules = new RuleContext(binding.ids(), functions, estimator, placement, variables);
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
        List<TableAccess> tables = binding.met().stream()
                .map(met -> new TableAccess(met.catalog(), met.database(), met.table()))
                .toList();
        PlannedStatement.Stages stages = new PlannedStatement.Stages(bound, rewritten, physical);
        return new PlannedStatement(outputs, tables, stages, placement, context.cluster(), target, partitions);
    }

    private static OutputColumn column(SlotReference slot) {
        return new OutputColumn(slot.name(), slot.type(), slot.nullable(), slot.qualifier(), slot.origin());
    }
}
