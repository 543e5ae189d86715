// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.Optional;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.PhysicalFilter;
import org.thetis.sql.plan.PhysicalScan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** Filter over a scan -> conditions of the scan; otherwise a filter of its own. */
public record ImplementFilter() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalFilter.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter node = match.root(LogicalFilter.class);
        double rows = context.estimator().rows(node);
        if (node.child() instanceof PhysicalScan scan && scan.conditions().isEmpty()) {
            return Optional.of(new PhysicalScan(scan.scan(), node.conditions(), scan.distribution(), rows));
        }
        return Optional.of(new PhysicalFilter(node.conditions(), node.child(), rows));
    }
}
