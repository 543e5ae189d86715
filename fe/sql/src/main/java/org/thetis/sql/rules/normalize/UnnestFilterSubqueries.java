// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprFolder;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * Filter x IN (B) AND y > (C)        Project A's columns
 *   A                          ->      Filter y > c
 *                                        Join (C's single row, or its groups by the correlated columns)
 *                                          SemiJoin x = b
 *                                            A, B
 */
public record UnnestFilterSubqueries() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalFilter.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter filter = match.root(LogicalFilter.class);
        if (filter.conditions().stream().noneMatch(Substitution::hasSubquery)) {
            return Optional.empty();
        }
        List<Expr> plain = new ArrayList<>(filter.conditions().stream()
                .filter(condition -> !Substitution.hasSubquery(condition))
                .toList());
        SubqueryJoins joins = new SubqueryJoins(context, Substitution.filter(plain, filter.child()));
        List<Expr> rest = new ArrayList<>();
        for (Expr condition : filter.conditions()) {
            if (!Substitution.hasSubquery(condition)) {
                continue;
            }
            Expr folded = SubqueryConditions.decide(ExprFolder.fold(condition));
            if (folded instanceof Subquery subquery && subquery.kind() != Subquery.Kind.SCALAR) {
                joins.addCondition(subquery);
            } else {
                rest.add(joins.replace(folded));
            }
        }
        Plan result = Substitution.filter(rest, joins.plan());
        boolean same = result.output().equals(filter.output());
        return Optional.of(same ? result : new LogicalProject(List.copyOf(filter.output()), result));
    }
}
