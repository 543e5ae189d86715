// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.Optional;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.PhysicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** LogicalProject -> PhysicalProject. */
public record ImplementProject() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalProject.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalProject node = match.root(LogicalProject.class);
        return Optional.of(new PhysicalProject(node.items(), node.child()));
    }
}
