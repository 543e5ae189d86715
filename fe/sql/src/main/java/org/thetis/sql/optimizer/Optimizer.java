// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.optimizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.explore.ExploreRules;
import org.thetis.sql.rules.implement.ImplementRules;
import org.thetis.sql.rules.normalize.NormalizeRules;
import org.thetis.sql.rules.rewrite.RewriteRules;

/** From a bound plan to the plan that back ends run, in phases. Each phase's rules are the classes of its folder. Safe to share. */
public final class Optimizer {
    private final RuleDriver normalize = new RuleDriver(NormalizeRules.create());
    private final RuleDriver normalizeAndRewrite = new RuleDriver(both());
    private final RuleDriver explore = new RuleDriver(ExploreRules.create());
    private final List<Rule> implement = ImplementRules.create();

    private static List<Rule> both() {
        List<Rule> rules = new ArrayList<>(NormalizeRules.create());
        rules.addAll(RewriteRules.create());
        return rules;
    }

    /** The logical plan in its best form. */
    public Plan rewrite(Plan bound, RuleContext context) {
        Plan plan = normalize.run(bound, context); // subqueries become joins, constants are computed
        plan = normalizeAndRewrite.run(plan, context); // conditions move down, unused columns go
        plan = explore.run(plan, context); // joins are ordered by cost
        return normalizeAndRewrite.run(plan, context); // conditions and columns settle in the new order
    }

    /** The physical plan with its result on one back end, or spread where the caller does not mind. */
    public PhysicalPlan implement(Plan logical, RuleContext context) {
        List<Plan> children = new ArrayList<>();
        for (Plan child : logical.children()) {
            children.add(implement(child, context));
        }
        Plan node = children.isEmpty() ? logical : logical.withChildren(children);
        context.estimator().remember(node, context.estimator().of(logical));
        for (Rule rule : implement) {
            if (rule.pattern().matches(node)) {
                Optional<Plan> physical = rule.apply(new Match(node), context);
                if (physical.isPresent()) {
                    return (PhysicalPlan) physical.get();
                }
            }
        }
        throw new ThetisException(ErrorCode.INTERNAL, "no rule implements " + logical.nodeName());
    }
}
