// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.optimizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** Applies the rules of one phase to a fixed point, top-down, then those that rewrite the whole tree once. Safe to share. */
final class RuleDriver {
    private static final int MAX_FIRINGS = 10_000;

    private final List<Rule> nodeRules;
    private final List<Rule> treeRules;
    private final Map<Class<?>, List<Rule>> byRoot = new ConcurrentHashMap<>();

    RuleDriver(List<Rule> rules) {
        this.nodeRules = rules.stream().filter(rule -> !rule.isWholeTree()).toList();
        this.treeRules = rules.stream().filter(Rule::isWholeTree).toList();
        for (Rule rule : nodeRules) {
            Class<?> root = rule.pattern().type();
            if (root != null) {
                byRoot.computeIfAbsent(root, key -> candidates(root));
            }
        }
    }

    private List<Rule> candidates(Class<?> root) {
        return nodeRules.stream()
                .filter(rule -> rule.pattern().type() == null || rule.pattern().type() == root)
                .toList();
    }

    /** The plan after the phase. */
    Plan run(Plan plan, RuleContext context) {
        int[] firings = {0};
        Plan current = plan;
        while (true) {
            Plan next = visit(current, context, firings);
            if (next == current) {
                break;
            }
            current = next;
        }
        for (Rule rule : treeRules) {
            if (context.allows(rule)) {
                Optional<Plan> rewritten = rule.apply(new Match(current), context);
                if (rewritten.isPresent()) {
                    context.record(rule);
                    current = rewritten.get();
                }
            }
        }
        return current;
    }

    private Plan visit(Plan plan, RuleContext context, int[] firings) {
        Plan current = rewriteNode(plan, context, firings);
        List<Plan> before = current.children();
        List<Plan> after = new ArrayList<>(before.size());
        boolean changed = false;
        for (Plan child : before) {
            Plan visited = visit(child, context, firings);
            changed |= visited != child;
            after.add(visited);
        }
        return changed ? current.withChildren(after) : current;
    }

    private Plan rewriteNode(Plan plan, RuleContext context, int[] firings) {
        Plan current = plan;
        boolean fired = true;
        while (fired) {
            fired = false;
            List<Rule> rules = byRoot.computeIfAbsent(current.getClass(), this::candidates);
            for (Rule rule : rules) {
                if (!context.allows(rule) || !rule.pattern().matches(current)) {
                    continue;
                }
                Optional<Plan> rewritten = rule.apply(new Match(current), context);
                if (rewritten.isPresent()) {
                    context.record(rule);
                    current = rewritten.get();
                    fired = true;
                    if (++firings[0] > MAX_FIRINGS) {
                        throw new ThetisException(
                                ErrorCode.INTERNAL, "rules do not come to an end, last: " + rule.name());
                    }
                    break;
                }
            }
        }
        return current;
    }
}
