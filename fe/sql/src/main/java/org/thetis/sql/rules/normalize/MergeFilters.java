// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Filter a          Filter b AND a
 *   Filter b   ->     A
 *     A
 */
public record MergeFilters() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.filter(Pattern.filter(Pattern.any()));
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter upper = match.root(LogicalFilter.class);
        LogicalFilter lower = match.child(LogicalFilter.class);
        List<Expr> all = new ArrayList<>(lower.conditions());
        upper.conditions().stream()
                .filter(condition -> !all.contains(condition))
                .forEach(all::add);
        return Optional.of(new LogicalFilter(all, lower.child()));
    }
}
