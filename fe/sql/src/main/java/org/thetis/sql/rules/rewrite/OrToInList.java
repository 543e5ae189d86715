// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Connective;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.InList;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Filter a = 1 OR a = 2      Filter a IN (1, 2)
 *   A                   ->     A
 */
public record OrToInList() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalFilter.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter filter = match.root(LogicalFilter.class);
        List<Expr> conditions = filter.conditions().stream()
                .map(condition -> condition.rewrite(OrToInList::merge))
                .toList();
        return conditions.equals(filter.conditions())
                ? Optional.empty()
                : Optional.of(new LogicalFilter(conditions, filter.child()));
    }

    private static Expr merge(Expr node) {
        if (!(node instanceof Connective connective) || connective.and()) {
            return node;
        }
        Map<Expr, List<Expr>> values = new LinkedHashMap<>();
        List<Expr> others = new ArrayList<>();
        for (Expr child : connective.children()) {
            if (Calls.is(child, "eq") && child instanceof ScalarCall call && call.child(1) instanceof Literal) {
                values.computeIfAbsent(call.child(0), key -> new ArrayList<>()).add(call.child(1));
            } else if (child instanceof InList in && !in.negated()) {
                values.computeIfAbsent(in.value(), key -> new ArrayList<>()).addAll(in.options());
            } else {
                others.add(child);
            }
        }
        if (values.size() + others.size() == connective.children().size()) {
            return node;
        }
        List<Expr> parts = new ArrayList<>();
        values.forEach((value, options) -> parts.add(
                options.size() == 1
                        ? Calls.eq(value, options.get(0))
                        : new InList(value, options.stream().distinct().toList(), false)));
        parts.addAll(others);
        return Conjuncts.or(parts);
    }
}
