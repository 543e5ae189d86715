// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.Optional;
import org.thetis.sql.plan.LogicalRepeat;
import org.thetis.sql.plan.PhysicalRepeat;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** LogicalRepeat -> PhysicalRepeat. */
public record ImplementRepeat() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalRepeat.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalRepeat node = match.root(LogicalRepeat.class);
        return Optional.of(
                new PhysicalRepeat(node, node.child(), context.estimator().rows(node)));
    }
}
