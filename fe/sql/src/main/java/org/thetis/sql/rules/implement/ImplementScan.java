// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.List;
import java.util.Optional;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.PhysicalScan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** LogicalOlapScan -> PhysicalOlapScan, spread as its tablets are. */
public record ImplementScan() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalScan.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalScan node = match.root(LogicalScan.class);
        return Optional.of(new PhysicalScan(
                node,
                List.of(),
                context.sites().distribution(node),
                context.estimator().rows(node)));
    }
}
