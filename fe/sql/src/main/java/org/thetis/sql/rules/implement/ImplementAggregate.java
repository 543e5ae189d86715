// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.List;
import java.util.Optional;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.AggregatePhase;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.PhysicalAggregate;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** Aggregate -> one step where groups are together already, else partial states, an exchange by the keys, and the merge. */
public record ImplementAggregate() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalAggregate.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalAggregate node = match.root(LogicalAggregate.class);
        double rows = context.estimator().rows(node);
        PhysicalPlan input = (PhysicalPlan) node.child();
        List<Expr> keys = node.keys().stream()
                .map(key -> key instanceof Alias alias ? alias.child() : (Expr) key)
                .toList();
        if (input.distribution().groups(keys) && (input.distribution().isSingle() || !keys.isEmpty())) {
            return Optional.of(new PhysicalAggregate(AggregatePhase.SINGLE, node.keys(), node.calls(), input, rows));
        }
        boolean splittable =
                node.calls().stream().map(LogicalAggregate::function).noneMatch(AggregateCall::distinct);
        if (!splittable) {
            Plan together =
                    keys.isEmpty() ? Exchanges.gather(input) : PhysicalExchange.to(Distribution.hash(keys), input);
            return Optional.of(new PhysicalAggregate(AggregatePhase.SINGLE, node.keys(), node.calls(), together, rows));
        }
        PhysicalAggregate partial =
                new PhysicalAggregate(AggregatePhase.PARTIAL, node.keys(), node.calls(), input, rows);
        List<SlotReference> slots = node.keys().stream().map(NamedExpr::toSlot).toList();
        Plan together =
                slots.isEmpty() ? Exchanges.gather(partial) : PhysicalExchange.to(Distribution.hash(slots), partial);
        return Optional.of(
                new PhysicalAggregate(AggregatePhase.FINAL, List.copyOf(slots), node.calls(), together, rows));
    }
}
