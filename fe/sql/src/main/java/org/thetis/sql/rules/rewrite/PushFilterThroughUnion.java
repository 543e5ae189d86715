// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalUnion;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * Filter x = 1      Union
 *   Union      ->     Filter a = 1
 *     A                 A
 *     B               Filter b = 1
 *                       B
 */
public record PushFilterThroughUnion() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.filter(Pattern.union());
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter filter = match.root(LogicalFilter.class);
        LogicalUnion union = match.child(LogicalUnion.class);
        if (filter.conditions().stream()
                .anyMatch(condition -> Substitution.isVolatile(condition) || Substitution.hasSubquery(condition))) {
            return Optional.empty();
        }
        List<Plan> children = new ArrayList<>();
        for (Plan child : union.children()) {
            Map<ExprId, Expr> definitions = new HashMap<>();
            for (int i = 0; i < union.output().size(); i++) {
                definitions.put(union.output().get(i).id(), child.output().get(i));
            }
            children.add(new LogicalFilter(Substitution.inline(filter.conditions(), definitions), child));
        }
        return Optional.of(new LogicalUnion(union.output(), children));
    }
}
