// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.Optional;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.LogicalTopN;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.PhysicalTopN;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** TopN -> the first rows of every back end and a merging gather that counts. */
public record ImplementTopN() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalTopN.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalTopN node = match.root(LogicalTopN.class);
        double rows = context.estimator().rows(node);
        if (((PhysicalPlan) node.child()).distribution().isSingle()) {
            return Optional.of(new PhysicalTopN(node.keys(), node.limit(), node.offset(), node.child(), rows));
        }
        PhysicalTopN local =
                new PhysicalTopN(node.keys(), Math.addExact(node.limit(), node.offset()), 0, node.child(), rows);
        return Optional.of(new PhysicalExchange(Distribution.SINGLE, node.keys(), node.limit(), node.offset(), local));
    }
}
