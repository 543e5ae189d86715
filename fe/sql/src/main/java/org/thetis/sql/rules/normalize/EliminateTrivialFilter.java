// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.Optional;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Filter (no condition)      A        Filter FALSE AND a      Empty
 *   A                    ->             A                 ->
 */
public record EliminateTrivialFilter() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalFilter.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter filter = match.root(LogicalFilter.class);
        if (filter.conditions().isEmpty()) {
            return Optional.of(filter.child());
        }
        boolean never = filter.conditions().stream()
                .anyMatch(condition -> condition instanceof Literal literal && literal.isNeverTrue());
        return never ? Optional.of(LogicalValues.empty(filter.output())) : Optional.empty();
    }
}
