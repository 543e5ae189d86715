// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.explore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Substitution;
import org.thetis.sql.stats.Estimate;
import org.thetis.sql.stats.Estimator;

/**
 * The cheapest order of inner joins. Exact by dynamic programming over subsets of up to ten relations (Selinger's method, bushy
 * trees, products only where nothing connects); greedy beyond. Cost is rows probed, twice the rows built, and rows produced.
 */
final class JoinOrder {
    private static final int EXACT_LIMIT = 10;
    private static final double BUILD_WEIGHT = 2;

    private final Estimator estimator;
    private final List<Plan> relations;
    private final List<Expr> conditions;
    private final List<Integer> uses = new ArrayList<>();

    private record Step(Plan plan, Estimate estimate, double cost, int members) {}

    JoinOrder(Estimator estimator, List<Plan> relations, List<Expr> conditions) {
        this.estimator = estimator;
        this.relations = new ArrayList<>(relations);
        this.conditions = conditions;
        List<Set<SlotReference>> outputs = relations.stream()
                .map(relation -> (Set<SlotReference>) new HashSet<>(relation.output()))
                .toList();
        for (Expr condition : conditions) {
            int mask = 0;
            for (SlotReference slot : condition.slots()) {
                for (int i = 0; i < outputs.size(); i++) {
                    mask |= outputs.get(i).contains(slot) ? 1 << i : 0;
                }
            }
            uses.add(mask);
            if (Integer.bitCount(mask) == 1) {
                int only = Integer.numberOfTrailingZeros(mask);
                this.relations.set(only, Substitution.filter(List.of(condition), this.relations.get(only)));
            }
        }
    }

    Plan best() {
        int count = relations.size();
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            steps.add(new Step(relations.get(i), estimator.of(relations.get(i)), 0, 1 << Math.min(i, 30)));
        }
        shareDomains(steps);
        if (count > 30) {
            // More relations than a set of bits holds: in the order written.
            return leftDeep();
        }
        return (count <= EXACT_LIMIT ? exact(steps) : greedy(steps)).plan();
    }

    /** Gives columns that are equal all over the group the smallest of their distinct counts: a foreign key has its key's domain. */
    private void shareDomains(List<Step> steps) {
        Map<ExprId, Set<ExprId>> classes = new HashMap<>();
        for (Expr condition : conditions) {
            if (Calls.is(condition, "eq")
                    && condition.children().get(0) instanceof SlotReference a
                    && condition.children().get(1) instanceof SlotReference b) {
                Set<ExprId> merged = new HashSet<>(classes.getOrDefault(a.id(), Set.of(a.id())));
                merged.addAll(classes.getOrDefault(b.id(), Set.of(b.id())));
                merged.forEach(id -> classes.put(id, merged));
            }
        }
        Map<ExprId, Double> smallest = new HashMap<>();
        for (Set<ExprId> members : Set.copyOf(classes.values())) {
            double least = Double.MAX_VALUE;
            for (Step step : steps) {
                for (ExprId id : members) {
                    least = Math.min(least, step.estimate().distinct().getOrDefault(id, Double.MAX_VALUE));
                }
            }
            for (ExprId id : members) {
                smallest.put(id, least);
            }
        }
        steps.replaceAll(step -> {
            Map<ExprId, Double> distinct = new HashMap<>(step.estimate().distinct());
            distinct.replaceAll((id, count) -> Math.min(count, smallest.getOrDefault(id, count)));
            return new Step(step.plan(), new Estimate(step.estimate().rows(), distinct), step.cost(), step.members());
        });
    }

    private Plan leftDeep() {
        Plan plan = relations.get(0);
        Set<Expr> placed = new HashSet<>();
        for (Plan next : relations.subList(1, relations.size())) {
            Set<SlotReference> available = new HashSet<>(plan.output());
            available.addAll(next.output());
            List<Expr> usable = conditions.stream()
                    .filter(condition -> !placed.contains(condition) && available.containsAll(condition.slots()))
                    .toList();
            placed.addAll(usable);
            plan = new LogicalJoin(JoinKind.INNER, usable, plan, next);
        }
        return plan;
    }

    private Step exact(List<Step> singles) {
        int full = (1 << singles.size()) - 1;
        @Nullable Step[] table = new Step[full + 1];
        singles.forEach(step -> table[step.members()] = step);
        for (int members = 1; members <= full; members++) {
            if (Integer.bitCount(members) < 2) {
                continue;
            }
            Step best = null;
            for (boolean products = false; best == null; products = true) {
                for (int left = (members - 1) & members; left > 0; left = (left - 1) & members) {
                    Step a = table[left];
                    Step b = table[members & ~left];
                    if (a == null
                            || b == null
                            || b.estimate().rows() > a.estimate().rows()
                            || !products && !connected(a, b)) {
                        continue;
                    }
                    Step candidate = join(a, b);
                    if (best == null || candidate.cost() < best.cost()) {
                        best = candidate;
                    }
                }
                if (products) {
                    break;
                }
                if (best == null && members != full && !isStuck(members)) {
                    break;
                }
            }
            table[members] = best;
        }
        Step result = table[full];
        return result == null ? greedy(singles) : result;
    }

    /** Whether no condition leads out of the set, so that a product is the only way on. */
    private boolean isStuck(int members) {
        for (int mask : uses) {
            if ((mask & members) != 0 && (mask & ~members) != 0) {
                return false;
            }
        }
        return true;
    }

    private Step greedy(List<Step> singles) {
        List<Step> steps = new ArrayList<>(singles);
        while (steps.size() > 1) {
            Step best = null;
            Step bestLeft = null;
            Step bestRight = null;
            boolean bestConnected = false;
            for (Step a : steps) {
                for (Step b : steps) {
                    boolean connected = connected(a, b);
                    if (a.members() == b.members()
                            || b.estimate().rows() > a.estimate().rows()
                            || bestConnected && !connected) {
                        continue;
                    }
                    Step candidate = join(a, b);
                    if (best == null
                            || connected && !bestConnected
                            || candidate.estimate().rows() < best.estimate().rows()) {
                        best = candidate;
                        bestLeft = a;
                        bestRight = b;
                        bestConnected = connected;
                    }
                }
            }
            steps.remove(bestLeft);
            steps.remove(bestRight);
            steps.add(best);
        }
        return steps.get(0);
    }

    private boolean connected(Step a, Step b) {
        int both = a.members() | b.members();
        for (int mask : uses) {
            if ((mask & a.members()) != 0 && (mask & b.members()) != 0 && (mask & ~both) == 0) {
                return true;
            }
        }
        return false;
    }

    private Step join(Step a, Step b) {
        int both = a.members() | b.members();
        List<Expr> usable = new ArrayList<>();
        for (int i = 0; i < conditions.size(); i++) {
            int mask = uses.get(i);
            boolean inside = (mask & ~both) == 0 && (mask & ~a.members()) != 0 && (mask & ~b.members()) != 0;
            if (inside || mask == 0 && both == (1 << relations.size()) - 1) {
                usable.add(conditions.get(i));
            }
        }
        Estimate estimate = Estimator.join(JoinKind.INNER, usable, a.estimate(), b.estimate());
        double cost = a.cost()
                + b.cost()
                + a.estimate().rows()
                + BUILD_WEIGHT * b.estimate().rows()
                + estimate.rows();
        return new Step(new LogicalJoin(JoinKind.INNER, usable, a.plan(), b.plan()), estimate, cost, both);
    }
}
