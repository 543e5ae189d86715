// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.explore;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.JoinHint;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * Join             Join
 *   Join      ->     Join
 *     A, B             B, C
 *   C                A
 *
 * Finds the cheapest order of each group of inner joins: exactly for small groups, step by step for larger ones.
 */
public record ReorderJoins() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.any();
    }

    @Override
    public boolean isWholeTree() {
        return true;
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        if (context.isOn("disable_join_reorder", false)) {
            return Optional.empty();
        }
        Plan reordered = reorder(match.root(), context);
        return reordered == match.root() ? Optional.empty() : Optional.of(reordered);
    }

    private static Plan reorder(Plan plan, RuleContext context) {
        if (!isInner(plan)) {
            List<Plan> children = new ArrayList<>();
            boolean changed = false;
            for (Plan child : plan.children()) {
                Plan after = reorder(child, context);
                changed |= after != child;
                children.add(after);
            }
            return changed ? plan.withChildren(children) : plan;
        }
        List<Plan> relations = new ArrayList<>();
        List<Expr> conditions = new ArrayList<>();
        flatten(plan, relations, conditions);
        relations.replaceAll(relation -> reorder(relation, context));
        Plan ordered = new JoinOrder(context.estimator(), relations, conditions).best();
        List<SlotReference> output = plan.output();
        Set<SlotReference> all = new HashSet<>(ordered.output());
        boolean same = ordered.output().equals(output) || !all.containsAll(output);
        return same ? ordered : new LogicalProject(List.copyOf(output), ordered);
    }

    private static boolean isInner(Plan plan) {
        return plan instanceof LogicalJoin join && join.kind() == JoinKind.INNER && join.hint() == JoinHint.NONE;
    }

    private static void flatten(Plan plan, List<Plan> relations, List<Expr> conditions) {
        if (plan instanceof LogicalJoin join && isInner(plan)) {
            flatten(join.left(), relations, conditions);
            flatten(join.right(), relations, conditions);
            join.conditions().stream()
                    .filter(condition -> !conditions.contains(condition))
                    .forEach(conditions::add);
            return;
        }
        boolean selection = plan instanceof LogicalProject project
                && isInner(project.child())
                && project.items().stream().allMatch(SlotReference.class::isInstance)
                && project.items().stream().noneMatch(Substitution::hasSubquery);
        if (selection) {
            flatten(plan.child(0), relations, conditions);
        } else {
            relations.add(plan);
        }
    }
}
