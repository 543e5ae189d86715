// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.WindowCall;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalWindow;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Filter p = 1                     Window partition by p
 *   Window partition by p    ->      Filter p = 1
 *     A                                A
 */
public record PushFilterThroughWindow() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.filter(Pattern.of(LogicalWindow.class));
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter filter = match.root(LogicalFilter.class);
        LogicalWindow window = match.child(LogicalWindow.class);
        List<Expr> partition = ((WindowCall) window.calls().get(0).child()).partitionBy();
        List<Expr> pushed = new ArrayList<>();
        List<Expr> kept = new ArrayList<>();
        filter.conditions().forEach(condition -> {
            boolean onPartition = !condition.slots().isEmpty() && partition.containsAll(condition.slots());
            (onPartition ? pushed : kept).add(condition);
        });
        if (pushed.isEmpty()) {
            return Optional.empty();
        }
        Plan below = window.withChild(new LogicalFilter(pushed, window.child()));
        return Optional.of(kept.isEmpty() ? below : new LogicalFilter(kept, below));
    }
}
