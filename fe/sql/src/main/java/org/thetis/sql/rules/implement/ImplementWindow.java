// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.thetis.sql.expr.SortKey;
import org.thetis.sql.expr.WindowCall;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.LogicalWindow;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.PhysicalSort;
import org.thetis.sql.plan.PhysicalWindow;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** Window -> rows of a partition together, sorted, then the functions. */
public record ImplementWindow() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalWindow.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalWindow node = match.root(LogicalWindow.class);
        WindowCall first = PhysicalWindow.function(node.calls().get(0));
        Plan input = node.child();
        if (first.partitionBy().isEmpty()) {
            input = Exchanges.gather(input);
        } else if (!((PhysicalPlan) input).distribution().groups(first.partitionBy())) {
            input = PhysicalExchange.to(Distribution.hash(first.partitionBy()), input);
        }
        List<SortKey> keys = new ArrayList<>();
        first.partitionBy().forEach(key -> keys.add(new SortKey(key, true, true)));
        keys.addAll(first.orderBy());
        Plan sorted = keys.isEmpty() ? input : new PhysicalSort(keys, input);
        return Optional.of(new PhysicalWindow(node.calls(), sorted));
    }
}
