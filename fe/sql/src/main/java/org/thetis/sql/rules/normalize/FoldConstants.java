// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprFolder;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Filter a > 1 + 1 AND TRUE      Filter a > 2
 *   A                       ->     A
 */
public record FoldConstants() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.any();
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        if (match.root() instanceof LogicalFilter filter) {
            List<Expr> folded = conditions(filter.conditions());
            return folded.equals(filter.conditions())
                    ? Optional.empty()
                    : Optional.of(new LogicalFilter(folded, filter.child()));
        }
        if (match.root() instanceof LogicalJoin join) {
            List<Expr> folded = conditions(join.conditions());
            return folded.equals(join.conditions()) ? Optional.empty() : Optional.of(join.withConditions(folded));
        }
        if (match.root() instanceof LogicalProject project) {
            List<NamedExpr> items = new ArrayList<>();
            project.items().forEach(item -> items.add((NamedExpr) ExprFolder.fold(item)));
            return items.equals(project.items())
                    ? Optional.empty()
                    : Optional.of(new LogicalProject(items, project.child()));
        }
        return Optional.empty();
    }

    private static List<Expr> conditions(List<Expr> conditions) {
        List<Expr> parts = new ArrayList<>();
        for (Expr condition : conditions) {
            Conjuncts.split(ExprFolder.fold(condition)).stream()
                    .filter(part -> !(part instanceof org.thetis.sql.expr.Literal literal && literal.isTrue())
                            && !parts.contains(part))
                    .forEach(parts::add);
        }
        return parts;
    }
}
