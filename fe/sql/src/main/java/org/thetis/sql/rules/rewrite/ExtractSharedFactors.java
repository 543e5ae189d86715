// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Connective;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Filter (a AND b) OR (a AND c)      Filter a AND (b OR c)
 *   A                           ->     A
 */
public record ExtractSharedFactors() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.any();
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        if (match.root() instanceof LogicalFilter filter) {
            return extract(filter.conditions()).map(conditions -> new LogicalFilter(conditions, filter.child()));
        }
        if (match.root() instanceof LogicalJoin join) {
            return extract(join.conditions()).map(join::withConditions);
        }
        return Optional.empty();
    }

    private static Optional<List<Expr>> extract(List<Expr> conditions) {
        List<Expr> result = new ArrayList<>();
        boolean changed = false;
        for (Expr condition : conditions) {
            List<Expr> parts = factor(condition);
            changed |= parts.size() != 1 || parts.get(0) != condition;
            parts.stream().filter(part -> !result.contains(part)).forEach(result::add);
        }
        return changed ? Optional.of(result) : Optional.empty();
    }

    private static List<Expr> factor(Expr condition) {
        if (!(condition instanceof Connective connective) || connective.and()) {
            return List.of(condition);
        }
        List<List<Expr>> alternatives =
                Conjuncts.splitOr(connective).stream().map(Conjuncts::split).toList();
        List<Expr> shared = new ArrayList<>(alternatives.get(0));
        alternatives.forEach(shared::retainAll);
        if (shared.isEmpty()) {
            return List.of(condition);
        }
        List<Expr> rest = new ArrayList<>();
        for (List<Expr> alternative : alternatives) {
            List<Expr> own =
                    alternative.stream().filter(part -> !shared.contains(part)).toList();
            if (own.isEmpty()) {
                // One alternative asks for nothing more, so the others add nothing.
                return shared;
            }
            rest.add(Conjuncts.and(own));
        }
        List<Expr> result = new ArrayList<>(shared);
        result.add(Conjuncts.or(rest));
        return result;
    }
}
