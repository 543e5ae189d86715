// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalWindow;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.plan.UnaryPlan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * Aggregate sum(x IN (B))        Aggregate sum(s)
 *   A                       ->     Project A's columns, x IN (B) AS s
 *                                    A
 */
public record ExtractSubqueries() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.any();
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        Plan node = match.root(Plan.class);
        boolean handled = node instanceof LogicalAggregate || node instanceof LogicalWindow;
        if (!handled || node.expressions().stream().noneMatch(Substitution::hasSubquery)) {
            return Optional.empty();
        }
        Plan child = ((UnaryPlan) node).child();
        List<NamedExpr> items = new ArrayList<>(child.output());
        Map<Subquery, Expr> columns = new HashMap<>();
        List<NamedExpr> keys = new ArrayList<>();
        List<Alias> calls = new ArrayList<>();
        if (node instanceof LogicalAggregate aggregate) {
            aggregate.keys().forEach(key -> keys.add((NamedExpr) replace(key, columns, items, context)));
            aggregate.calls().forEach(call -> calls.add((Alias) replace(call, columns, items, context)));
            return Optional.of(new LogicalAggregate(keys, calls, new LogicalProject(items, child)));
        }
        ((LogicalWindow) node).calls().forEach(call -> calls.add((Alias) replace(call, columns, items, context)));
        return Optional.of(new LogicalProject(
                List.copyOf(node.output()), new LogicalWindow(calls, new LogicalProject(items, child))));
    }

    private static Expr replace(
            Expr expression, Map<Subquery, Expr> columns, List<NamedExpr> items, RuleContext context) {
        return expression.rewrite(node -> {
            if (!(node instanceof Subquery subquery)) {
                return node;
            }
            return columns.computeIfAbsent(subquery, key -> {
                Alias alias = context.alias("subquery", key);
                items.add(alias);
                return alias.toSlot();
            });
        });
    }
}
