// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.Optional;
import org.thetis.sql.plan.LogicalTableFunction;
import org.thetis.sql.plan.PhysicalTableFunction;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** LogicalTableFunction -> PhysicalTableFunction on one back end. */
public record ImplementTableFunction() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalTableFunction.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalTableFunction node = match.root(LogicalTableFunction.class);
        return Optional.of(new PhysicalTableFunction(node, context.estimator().rows(node)));
    }
}
