// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.Optional;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Limit 3            Limit 3        Limit 0       Empty
 *   Limit 5    ->      A              A      ->
 *     A
 */
public record MergeLimits() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalLimit.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalLimit upper = match.root(LogicalLimit.class);
        if (upper.limit() == 0) {
            return Optional.of(LogicalValues.empty(upper.output()));
        }
        if (!(upper.child() instanceof LogicalLimit lower)) {
            return Optional.empty();
        }
        long available = lower.limit() < 0 ? Long.MAX_VALUE : Math.max(0, lower.limit() - upper.offset());
        long limit = upper.limit() < 0 ? available : Math.min(upper.limit(), available);
        return Optional.of(
                new LogicalLimit(limit == Long.MAX_VALUE ? -1 : limit, lower.offset() + upper.offset(), lower.child()));
    }
}
