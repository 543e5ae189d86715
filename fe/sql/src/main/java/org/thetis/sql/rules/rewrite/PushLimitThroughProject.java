// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.Optional;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Limit n        Project
 *   Project ->     Limit n
 *     A              A
 */
public record PushLimitThroughProject() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.limit(Pattern.project(Pattern.any()));
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalLimit limit = match.root(LogicalLimit.class);
        LogicalProject project = match.child(LogicalProject.class);
        return Optional.of(project.withChild(new LogicalLimit(limit.limit(), limit.offset(), project.child())));
    }
}
