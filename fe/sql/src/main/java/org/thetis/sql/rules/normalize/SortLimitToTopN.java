// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.Optional;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.LogicalTopN;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Limit n         TopN n         Limit n          Project
 *   Sort     ->     A              Project   ->     TopN n
 *     A                              Sort             A
 *                                      A
 */
public record SortLimitToTopN() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalLimit.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalLimit limit = match.root(LogicalLimit.class);
        if (limit.limit() < 0) {
            return Optional.empty();
        }
        if (limit.child() instanceof LogicalSort sort) {
            return Optional.of(new LogicalTopN(sort.keys(), limit.limit(), limit.offset(), sort.child()));
        }
        if (limit.child() instanceof LogicalProject project && project.child() instanceof LogicalSort sort) {
            return Optional.of(new LogicalProject(
                    project.items(), new LogicalTopN(sort.keys(), limit.limit(), limit.offset(), sort.child())));
        }
        return Optional.empty();
    }
}
