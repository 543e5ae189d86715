// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * LeftJoin a = b AND b > 1      LeftJoin a = b
 *   A                      ->     A
 *   B                             Filter b > 1
 *                                   B
 */
public record PushJoinConditions() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.join();
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalJoin join = match.root(LogicalJoin.class);
        Set<SlotReference> left = Substitution.outputSet(join.left());
        Set<SlotReference> right = Substitution.outputSet(join.right());
        List<Expr> onLeft = new ArrayList<>();
        List<Expr> onRight = new ArrayList<>();
        List<Expr> kept = new ArrayList<>();
        for (Expr condition : join.conditions()) {
            boolean movable = !Substitution.isVolatile(condition) && !Substitution.hasSubquery(condition);
            if (movable
                    && join.kind() == JoinKind.INNER
                    && condition instanceof Literal literal
                    && literal.isNeverTrue()) {
                return Optional.of(LogicalValues.empty(join.output()));
            }
            if (movable && Substitution.uses(condition, left) && join.kind().onFiltersLeft()) {
                onLeft.add(condition);
            } else if (movable
                    && Substitution.uses(condition, right)
                    && join.kind().onFiltersRight()) {
                onRight.add(condition);
            } else {
                kept.add(condition);
            }
        }
        if (onLeft.isEmpty() && onRight.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new LogicalJoin(
                join.kind(),
                kept,
                join.hint(),
                Substitution.filter(onLeft, join.left()),
                Substitution.filter(onRight, join.right())));
    }
}
