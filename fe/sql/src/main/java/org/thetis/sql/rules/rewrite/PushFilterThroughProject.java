// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * Filter x > 1              Project a + 1 AS x
 *   Project a + 1 AS x ->     Filter a + 1 > 1
 *     A                         A
 */
public record PushFilterThroughProject() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.filter(Pattern.project(Pattern.any()));
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter filter = match.root(LogicalFilter.class);
        LogicalProject project = match.child(LogicalProject.class);
        Map<ExprId, Expr> definitions = Substitution.definitions(project.items());
        List<Expr> pushed = new ArrayList<>();
        List<Expr> kept = new ArrayList<>();
        for (Expr condition : filter.conditions()) {
            Expr inlined = Substitution.inline(condition, definitions);
            if (Substitution.isVolatile(inlined) || Substitution.hasSubquery(inlined)) {
                kept.add(condition);
            } else {
                pushed.add(inlined);
            }
        }
        if (pushed.isEmpty()) {
            return Optional.empty();
        }
        Plan below = new LogicalProject(project.items(), Substitution.filter(pushed, project.child()));
        return Optional.of(kept.isEmpty() ? below : new LogicalFilter(kept, below));
    }
}
