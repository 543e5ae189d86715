// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.Optional;
import org.thetis.sql.plan.LogicalAssertRows;
import org.thetis.sql.plan.PhysicalAssertRows;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** AssertRows -> gather, then count. */
public record ImplementAssertRows() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalAssertRows.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalAssertRows node = match.root(LogicalAssertRows.class);
        return Optional.of(new PhysicalAssertRows(Exchanges.gather(node.child())));
    }
}
