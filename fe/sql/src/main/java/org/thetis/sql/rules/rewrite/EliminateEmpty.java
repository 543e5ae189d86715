// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.List;
import java.util.Optional;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalAssertRows;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalUnion;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Join          Empty       Union       B        Sort        Empty
 *   Empty  ->                 Empty ->             Empty ->
 *   B                         B
 */
public record EliminateEmpty() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.any();
    }

    private static boolean isEmpty(Plan plan) {
        return plan instanceof LogicalValues values && values.isEmpty();
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        Plan root = match.root();
        if (root.children().stream().noneMatch(EliminateEmpty::isEmpty)) {
            return Optional.empty();
        }
        if (root instanceof LogicalUnion union) {
            return union(union);
        }
        if (root instanceof LogicalJoin join) {
            boolean left = isEmpty(join.left());
            boolean right = isEmpty(join.right());
            boolean nothing =
                    switch (join.kind()) {
                        case INNER -> true;
                        case LEFT_OUTER, LEFT_SEMI, LEFT_ANTI, NULL_AWARE_LEFT_ANTI ->
                            left || right && join.kind() == org.thetis.sql.plan.JoinKind.LEFT_SEMI;
                        case RIGHT_OUTER, RIGHT_SEMI, RIGHT_ANTI ->
                            right || left && join.kind() == org.thetis.sql.plan.JoinKind.RIGHT_SEMI;
                        case FULL_OUTER -> left && right;
                    };
            return nothing ? Optional.of(LogicalValues.empty(join.output())) : Optional.empty();
        }
        if (root instanceof LogicalAggregate aggregate && aggregate.keys().isEmpty()
                || root instanceof LogicalAssertRows) {
            return Optional.empty();
        }
        return Optional.of(LogicalValues.empty(root.output()));
    }

    private static Optional<Plan> union(LogicalUnion union) {
        List<Plan> rest =
                union.children().stream().filter(child -> !isEmpty(child)).toList();
        if (rest.isEmpty()) {
            return Optional.of(LogicalValues.empty(union.output()));
        }
        if (rest.size() > 1) {
            return Optional.of(new LogicalUnion(union.output(), rest));
        }
        List<org.thetis.sql.expr.NamedExpr> items = new java.util.ArrayList<>();
        for (int i = 0; i < union.output().size(); i++) {
            var slot = union.output().get(i);
            items.add(new org.thetis.sql.expr.Alias(
                    slot.id(), slot.name(), rest.get(0).output().get(i)));
        }
        return Optional.of(new LogicalProject(items, rest.get(0)));
    }
}
