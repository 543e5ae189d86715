// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.Optional;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.PhysicalValues;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** Rows of the statement -> rows of the plan. */
public record ImplementValues() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalValues.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalValues node = match.root(LogicalValues.class);
        return Optional.of(new PhysicalValues(node.output(), node.rows()));
    }
}
