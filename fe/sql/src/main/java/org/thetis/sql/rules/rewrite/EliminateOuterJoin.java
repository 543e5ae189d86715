// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.thetis.sql.expr.Connective;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.InList;
import org.thetis.sql.expr.NullMode;
import org.thetis.sql.expr.ScalarCall;
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
 * Filter b > 1        Filter b > 1
 *   LeftJoin    ->      InnerJoin
 *     A, B                A, B
 *
 * when a condition of the filter can not be true for the padded NULLs.
 */
public record EliminateOuterJoin() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.filter(Pattern.join());
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter filter = match.root(LogicalFilter.class);
        LogicalJoin join = match.child(LogicalJoin.class);
        if (!join.kind().padsLeft() && !join.kind().padsRight()) {
            return Optional.empty();
        }
        boolean noLeftPads = !join.kind().padsLeft() || rejects(filter, join.left());
        boolean noRightPads = !join.kind().padsRight() || rejects(filter, join.right());
        JoinKind kind = noLeftPads && noRightPads
                ? JoinKind.INNER
                : noLeftPads ? JoinKind.LEFT_OUTER : noRightPads ? JoinKind.RIGHT_OUTER : join.kind();
        if (kind == join.kind()) {
            return Optional.empty();
        }
        return Optional.of(
                filter.withChild(new LogicalJoin(kind, join.conditions(), join.hint(), join.left(), join.right())));
    }

    private static boolean rejects(LogicalFilter filter, Plan padded) {
        Set<SlotReference> slots = Substitution.outputSet(padded);
        return filter.conditions().stream().anyMatch(condition -> rejectsNull(condition, slots));
    }

    /** Whether the condition is not true when all the columns are NULL. */
    static boolean rejectsNull(Expr condition, Set<SlotReference> slots) {
        if (condition instanceof Connective connective) {
            return connective.and()
                    ? connective.children().stream().anyMatch(child -> rejectsNull(child, slots))
                    : connective.children().stream().allMatch(child -> rejectsNull(child, slots));
        }
        if (condition instanceof InList in) {
            return becomesNull(in.value(), slots);
        }
        if (condition instanceof ScalarCall call) {
            return call.is("is_not_null") ? becomesNull(call.child(0), slots) : becomesNull(call, slots);
        }
        return false;
    }

    /** Whether the value is NULL when all the columns are. */
    private static boolean becomesNull(Expr value, Set<SlotReference> slots) {
        Set<SlotReference> used = new HashSet<>(value.slots());
        used.retainAll(slots);
        if (used.isEmpty()) {
            return false;
        }
        if (value instanceof SlotReference) {
            return true;
        }
        if (value instanceof org.thetis.sql.expr.Cast cast) {
            return becomesNull(cast.child(), slots);
        }
        return value instanceof ScalarCall call
                && call.nulls() == NullMode.PROPAGATE
                && call.children().stream().anyMatch(child -> becomesNull(child, slots));
    }
}
