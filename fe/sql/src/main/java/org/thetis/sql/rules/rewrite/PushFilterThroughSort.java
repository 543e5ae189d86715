// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.Optional;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Filter f      Sort
 *   Sort   ->     Filter f
 *     A             A
 */
public record PushFilterThroughSort() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.filter(Pattern.sort(Pattern.any()));
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalSort sort = match.child(LogicalSort.class);
        return Optional.of(
                sort.withChild(new LogicalFilter(match.root(LogicalFilter.class).conditions(), sort.child())));
    }
}
