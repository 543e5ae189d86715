// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * Project a, (B) AS s        Project a, b AS s
 *   A                   ->     Join (B's single row, or its groups by the correlated columns)
 *                                A, B
 */
public record UnnestProjectSubqueries() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalProject.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalProject project = match.root(LogicalProject.class);
        if (project.items().stream().noneMatch(Substitution::hasSubquery)) {
            return Optional.empty();
        }
        SubqueryJoins joins = new SubqueryJoins(context, project.child());
        List<NamedExpr> items = new ArrayList<>();
        project.items().forEach(item -> items.add((NamedExpr) joins.replace(item)));
        return Optional.of(new LogicalProject(items, joins.plan()));
    }
}
