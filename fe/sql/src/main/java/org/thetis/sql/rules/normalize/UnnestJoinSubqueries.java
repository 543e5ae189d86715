// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * LeftJoin a = b AND b IN (C)      Project A's and B's columns
 *   A                         ->     LeftJoin a = b AND c
 *   B                                  A
 *                                      B joined with C, which gives c
 */
public record UnnestJoinSubqueries() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.join();
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalJoin join = match.root(LogicalJoin.class);
        if (join.conditions().stream().noneMatch(Substitution::hasSubquery)) {
            return Optional.empty();
        }
        if (join.kind() == JoinKind.INNER) {
            // A filter above says the same and may use the columns of both sides.
            List<Expr> plain = new ArrayList<>();
            List<Expr> above = new ArrayList<>();
            join.conditions().forEach(c -> (Substitution.hasSubquery(c) ? above : plain).add(c));
            return Optional.of(new LogicalFilter(above, join.withConditions(plain)));
        }
        SubqueryJoins left = new SubqueryJoins(context, join.left());
        SubqueryJoins right = new SubqueryJoins(context, join.right());
        Set<SlotReference> leftColumns = Substitution.outputSet(join.left());
        Set<SlotReference> rightColumns = Substitution.outputSet(join.right());
        List<Expr> conditions = new ArrayList<>();
        for (Expr condition : join.conditions()) {
            conditions.add(condition.rewrite(node -> {
                if (!(node instanceof Subquery subquery)) {
                    return node;
                }
                Set<SlotReference> read = new HashSet<>(Correlation.free((Plan) subquery.plan()));
                read.addAll(subquery.slots());
                if (rightColumns.containsAll(read)) {
                    return right.replace(subquery);
                }
                if (leftColumns.containsAll(read)) {
                    return left.replace(subquery);
                }
                throw ThetisException.notSupported(
                        "subquery in ON of " + join.kind().text() + " that reads columns of both sides");
            }));
        }
        LogicalJoin joined = new LogicalJoin(join.kind(), conditions, join.hint(), left.plan(), right.plan());
        List<NamedExpr> items = List.copyOf(join.output());
        return Optional.of(new LogicalProject(items, joined));
    }
}
