// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.Optional;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalLimit;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** Limit -> limit of every back end, gather, and limit again. */
public record ImplementLimit() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalLimit.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalLimit node = match.root(LogicalLimit.class);
        double rows = context.estimator().rows(node);
        Plan input = node.child();
        if (!((PhysicalPlan) input).distribution().isSingle()) {
            Plan local = node.limit() < 0
                    ? input
                    : new PhysicalLimit(Math.addExact(node.limit(), node.offset()), 0, input, rows);
            input = PhysicalExchange.to(Distribution.SINGLE, local);
        }
        return Optional.of(new PhysicalLimit(node.limit(), node.offset(), input, rows));
    }
}
