// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Connective;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * Filter a = 1 AND b = 2 AND a < b      Join a < b
 *   Join                            ->    Filter a = 1
 *     A                                     A
 *     B                                   Filter b = 2
 *                                           B
 *
 * Of an alternative over both sides, (a = 1 AND b = 1) OR (a = 2 AND b = 2), each side gets its part: a = 1 OR a = 2.
 */
public record PushFilterThroughJoin() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.filter(Pattern.join());
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter filter = match.root(LogicalFilter.class);
        LogicalJoin join = match.child(LogicalJoin.class);
        Set<SlotReference> left = Substitution.outputSet(join.left());
        Set<SlotReference> right = Substitution.outputSet(join.right());
        List<Expr> onLeft = new ArrayList<>();
        List<Expr> onRight = new ArrayList<>();
        List<Expr> onBoth = new ArrayList<>();
        List<Expr> kept = new ArrayList<>();
        for (Expr condition : EqualityClosure.extend(filter.conditions(), join)) {
            if (Substitution.isVolatile(condition) || Substitution.hasSubquery(condition)) {
                kept.add(condition);
            } else if (Substitution.uses(condition, left) && join.kind().filtersLeft()) {
                onLeft.add(condition);
            } else if (Substitution.uses(condition, right) && join.kind().filtersRight()) {
                onRight.add(condition);
            } else if (join.kind() == JoinKind.INNER) {
                onBoth.add(condition);
                side(condition, left).ifPresent(onLeft::add);
                side(condition, right).ifPresent(onRight::add);
            } else {
                kept.add(condition);
            }
        }
        if (onLeft.isEmpty() && onRight.isEmpty() && onBoth.isEmpty()) {
            return Optional.empty();
        }
        List<Expr> conditions = new ArrayList<>(join.conditions());
        onBoth.stream().filter(condition -> !conditions.contains(condition)).forEach(conditions::add);
        Plan pushed = new LogicalJoin(
                join.kind(),
                conditions,
                join.hint(),
                Substitution.filter(onLeft, join.left()),
                Substitution.filter(onRight, join.right()));
        return Optional.of(kept.isEmpty() ? pushed : new LogicalFilter(kept, pushed));
    }

    /** What an OR demands of one side: some alternative's part on that side, if every alternative has one. */
    private static Optional<Expr> side(Expr condition, Set<SlotReference> slots) {
        if (!(condition instanceof Connective connective) || connective.and()) {
            return Optional.empty();
        }
        List<Expr> alternatives = new ArrayList<>();
        for (Expr alternative : connective.children()) {
            List<Expr> parts = Conjuncts.split(alternative).stream()
                    .filter(part ->
                            Substitution.uses(part, slots) && !part.slots().isEmpty())
                    .toList();
            if (parts.isEmpty()) {
                return Optional.empty();
            }
            alternatives.add(Conjuncts.and(parts));
        }
        return Optional.of(Conjuncts.or(alternatives.stream().distinct().toList()));
    }
}
