// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.Optional;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.PhysicalSort;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** Sort -> sort on every back end and a merging gather. */
public record ImplementSort() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalSort.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalSort node = match.root(LogicalSort.class);
        PhysicalSort sort = new PhysicalSort(node.keys(), node.child());
        boolean single = ((PhysicalPlan) node.child()).distribution().isSingle();
        return Optional.of(single ? sort : new PhysicalExchange(Distribution.SINGLE, node.keys(), -1, 0, sort));
    }
}
