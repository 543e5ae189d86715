// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * Project x + 1 AS y            Project a + b + 1 AS y
 *   Project a + b AS x     ->     A
 *     A
 *
 * Not when something computed below is used more than once above, as it would be computed as often.
 */
public record MergeProjects() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.project(Pattern.project(Pattern.any()));
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalProject upper = match.root(LogicalProject.class);
        LogicalProject lower = match.child(LogicalProject.class);
        Map<ExprId, Expr> definitions = Substitution.definitions(lower.items());
        Map<ExprId, Integer> uses = new HashMap<>();
        for (NamedExpr item : upper.items()) {
            item.visit(node -> {
                if (node instanceof SlotReference slot) {
                    uses.merge(slot.id(), 1, Integer::sum);
                }
            });
        }
        for (Map.Entry<ExprId, Expr> definition : definitions.entrySet()) {
            boolean cheap = definition.getValue() instanceof SlotReference || definition.getValue() instanceof Literal;
            boolean again = uses.getOrDefault(definition.getKey(), 0) > 1;
            if (!cheap && (again || Substitution.isVolatile(definition.getValue()))) {
                return Optional.empty();
            }
        }
        List<NamedExpr> items = new ArrayList<>();
        for (NamedExpr item : upper.items()) {
            if (item instanceof SlotReference slot) {
                Expr inner = definitions.getOrDefault(slot.id(), slot);
                items.add(
                        inner instanceof SlotReference same && same.equals(slot)
                                ? same
                                : new Alias(slot.id(), slot.name(), inner, slot.qualifier()));
            } else {
                items.add((NamedExpr) Substitution.inline(item, definitions));
            }
        }
        return Optional.of(new LogicalProject(items, lower.child()));
    }
}
