// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalUnion;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Limit n        Limit n
 *   Union   ->     Union
 *     A, B           Limit n A, Limit n B
 */
public record PushLimitThroughUnion() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.limit(Pattern.union());
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalLimit limit = match.root(LogicalLimit.class);
        LogicalUnion union = match.child(LogicalUnion.class);
        long enough = limit.limit() + limit.offset();
        if (limit.limit() < 0 || enough < 0 || union.children().stream().allMatch(child -> isLimited(child, enough))) {
            return Optional.empty();
        }
        List<Plan> children = new ArrayList<>();
        union.children()
                .forEach(child -> children.add(isLimited(child, enough) ? child : new LogicalLimit(enough, 0, child)));
        return Optional.of(limit.withChild(union.withChildren(children)));
    }

    private static boolean isLimited(Plan plan, long enough) {
        if (plan instanceof LogicalLimit limit) {
            return limit.limit() >= 0 && limit.limit() <= enough;
        }
        return plan instanceof org.thetis.sql.plan.LogicalValues values
                        && values.rows().size() <= enough
                || plan instanceof org.thetis.sql.plan.LogicalProject project && isLimited(project.child(), enough)
                || plan instanceof org.thetis.sql.plan.LogicalTopN top && top.limit() <= enough;
    }
}
