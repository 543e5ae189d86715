// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * Filter k = 1            Aggregate by k
 *   Aggregate by k   ->     Filter k = 1
 *     A                       A
 */
public record PushFilterThroughAggregate() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.filter(Pattern.aggregate(Pattern.any()));
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter filter = match.root(LogicalFilter.class);
        LogicalAggregate aggregate = match.child(LogicalAggregate.class);
        Set<SlotReference> keys =
                new HashSet<>(aggregate.keys().stream().map(NamedExpr::toSlot).toList());
        Map<ExprId, Expr> definitions = Substitution.definitions(aggregate.keys());
        List<Expr> pushed = new ArrayList<>();
        List<Expr> kept = new ArrayList<>();
        for (Expr condition : filter.conditions()) {
            boolean onKeys = !condition.slots().isEmpty() && Substitution.uses(condition, keys);
            boolean movable = onKeys && !Substitution.isVolatile(condition) && !Substitution.hasSubquery(condition);
            if (movable) {
                pushed.add(Substitution.inline(condition, definitions));
            } else {
                kept.add(condition);
            }
        }
        if (pushed.isEmpty()) {
            return Optional.empty();
        }
        Plan below = aggregate.withChild(Substitution.filter(pushed, aggregate.child()));
        return Optional.of(kept.isEmpty() ? below : new LogicalFilter(kept, below));
    }
}
