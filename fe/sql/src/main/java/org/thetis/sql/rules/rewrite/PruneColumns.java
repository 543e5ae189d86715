// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.LogicalUnion;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.LogicalWindow;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Project a              Project a
 *   Join             ->    Join
 *     Scan a, b, c           Scan a, b (b is in the join's condition)
 *     Scan d, e, f           Project d
 *                              Filter e > 1
 *                                Scan d, e
 */
public record PruneColumns() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.any();
    }

    @Override
    public boolean isWholeTree() {
        return true;
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        Plan pruned = prune(match.root(), new HashSet<>(match.root().output()), context);
        return pruned == match.root() ? Optional.empty() : Optional.of(pruned);
    }

    private static Set<SlotReference> with(Set<SlotReference> required, List<? extends Expr> expressions) {
        Set<SlotReference> all = new HashSet<>(required);
        expressions.forEach(expression -> all.addAll(expression.slots()));
        return all;
    }

    private static Plan prune(Plan plan, Set<SlotReference> required, RuleContext context) {
        if (plan instanceof LogicalScan scan) {
            List<SlotReference> kept =
                    scan.output().stream().filter(required::contains).toList();
            if (kept.isEmpty() && scan.table().table().keysModel() != KeysModel.DUPLICATE) {
                // Rows are told apart by their keys, so counting them reads one.
                kept = scan.output().subList(0, 1);
            }
            return kept.size() == scan.output().size() ? scan : scan.withOutput(kept);
        }
        if (plan instanceof LogicalProject project) {
            List<NamedExpr> items = project.items().stream()
                    .filter(item -> required.contains(item.toSlot()))
                    .toList();
            Plan child = prune(project.child(), with(Set.of(), items), context);
            return new LogicalProject(items, child);
        }
        if (plan instanceof LogicalAggregate aggregate) {
            List<Alias> calls = aggregate.calls().stream()
                    .filter(call -> required.contains(call.toSlot()))
                    .toList();
            List<Expr> used = new ArrayList<>(aggregate.keys());
            used.addAll(calls);
            boolean needsCall = calls.isEmpty()
                    && aggregate.keys().isEmpty()
                    && !aggregate.calls().isEmpty();
            List<Alias> kept = needsCall ? aggregate.calls().subList(0, 1) : calls;
            used.addAll(kept);
            return new LogicalAggregate(
                    aggregate.keys(), kept, narrow(aggregate.child(), with(Set.of(), used), context));
        }
        if (plan instanceof LogicalJoin join) {
            Set<SlotReference> needed = with(required, join.conditions());
            return join.withChildren(
                    List.of(narrow(join.left(), needed, context), narrow(join.right(), needed, context)));
        }
        if (plan instanceof LogicalUnion union) {
            return union(union, required, context);
        }
        if (plan instanceof LogicalValues values) {
            return values(values, required);
        }
        if (plan instanceof LogicalWindow window) {
            List<Alias> calls = window.calls().stream()
                    .filter(call -> required.contains(call.toSlot()))
                    .toList();
            return calls.isEmpty()
                    ? prune(window.child(), required, context)
                    : new LogicalWindow(calls, prune(window.child(), with(required, calls), context));
        }
        if (plan.children().isEmpty()) {
            return plan;
        }
        // Filter, sort, limit and the like pass their input on.
        Set<SlotReference> needed = with(required, plan.expressions());
        return plan.withChildren(plan.children().stream()
                .map(child -> prune(child, needed, context))
                .toList());
    }

    /** Prunes an input of a join or aggregate; columns that only a filter below needed are projected away. */
    private static Plan narrow(Plan plan, Set<SlotReference> required, RuleContext context) {
        Plan pruned = prune(plan, required, context);
        List<NamedExpr> kept = new ArrayList<>(
                pruned.output().stream().filter(required::contains).toList());
        boolean wider = kept.size() < pruned.output().size()
                && (pruned instanceof LogicalFilter || pruned instanceof LogicalJoin);
        return wider ? new LogicalProject(kept, pruned) : pruned;
    }

    private static Plan union(LogicalUnion union, Set<SlotReference> required, RuleContext context) {
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < union.output().size(); i++) {
            if (required.contains(union.output().get(i))) {
                kept.add(i);
            }
        }
        boolean all = kept.size() == union.output().size();
        List<Plan> children = new ArrayList<>();
        for (Plan child : union.children()) {
            List<NamedExpr> items =
                    new ArrayList<>(kept.stream().map(child.output()::get).toList());
            Plan pruned = prune(child, with(Set.of(), items), context);
            children.add(pruned.output().equals(items) ? pruned : new LogicalProject(items, pruned));
        }
        return new LogicalUnion(
                all ? union.output() : kept.stream().map(union.output()::get).toList(), children);
    }

    private static Plan values(LogicalValues values, Set<SlotReference> required) {
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < values.output().size(); i++) {
            if (required.contains(values.output().get(i))) {
                kept.add(i);
            }
        }
        if (kept.size() == values.output().size()) {
            return values;
        }
        List<List<Expr>> rows = new ArrayList<>();
        values.rows().forEach(row -> rows.add(kept.stream().map(row::get).toList()));
        return new LogicalValues(kept.stream().map(values.output()::get).toList(), rows);
    }
}
