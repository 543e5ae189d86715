// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.List;
import java.util.Optional;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.LogicalUnion;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.PhysicalUnion;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** Union -> union of inputs that are all on one back end or all spread. */
public record ImplementUnion() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalUnion.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalUnion node = match.root(LogicalUnion.class);
        boolean single = node.children().stream()
                .allMatch(child -> ((PhysicalPlan) child).distribution().isSingle());
        List<Plan> inputs = node.children();
        if (!single) {
            inputs = inputs.stream()
                    .map(child -> ((PhysicalPlan) child).distribution().isSingle()
                            ? PhysicalExchange.to(Distribution.RANDOM, child)
                            : child)
                    .toList();
        }
        return Optional.of(
                new PhysicalUnion(node.output(), inputs, context.estimator().rows(node)));
    }
}
