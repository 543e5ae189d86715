// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.explore;

import java.util.List;
import java.util.Optional;
import org.thetis.sql.plan.JoinHint;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * SemiJoin                  RightSemiJoin
 *   A (few rows)       ->     B
 *   B (many rows)             A
 *
 * so that the smaller input is the one a table is built of.
 */
public record CommuteJoin() implements Rule {
    private static final double WORTH = 2;

    @Override
    public Pattern pattern() {
        return Pattern.join();
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalJoin join = match.root(LogicalJoin.class);
        boolean mirrors = join.kind().mirrored() != join.kind();
        if (!mirrors
                || join.kind() == JoinKind.INNER
                || join.hint() != JoinHint.NONE
                || join.conditions().isEmpty()) {
            return Optional.empty();
        }
        boolean equality =
                join.conditions().stream().anyMatch(condition -> org.thetis.sql.functions.Calls.is(condition, "eq"));
        if (!equality
                || context.estimator().rows(join.right())
                        <= WORTH * context.estimator().rows(join.left())) {
            return Optional.empty();
        }
        Plan swapped = new LogicalJoin(
                join.kind().mirrored(), join.conditions(), /* left= */ join.right(), /* right= */ join.left());
        boolean same = swapped.output().equals(join.output());
        return Optional.of(same ? swapped : new LogicalProject(List.copyOf(join.output()), swapped));
    }
}
