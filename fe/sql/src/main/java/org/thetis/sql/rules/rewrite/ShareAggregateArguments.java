// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.NullMode;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Aggregate sum(a * b), sum(a * b * c)      Aggregate sum(p), sum(p * c)
 *   A                                  ->     Project a * b AS p, ...
 *                                               A
 *
 * What stands only inside CASE and the like stays there, where a failure may be guarded against.
 */
public record ShareAggregateArguments() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalAggregate.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalAggregate aggregate = match.root(LogicalAggregate.class);
        Map<Expr, Integer> uses = new HashMap<>();
        aggregate.expressions().forEach(expression -> count(expression, uses));
        if (uses.values().stream().noneMatch(times -> times > 1)) {
            return Optional.empty();
        }
        Map<Expr, Alias> shared = new LinkedHashMap<>();
        List<NamedExpr> keys = new ArrayList<>();
        aggregate.keys().forEach(key -> keys.add((NamedExpr) replace(key, uses, shared, context)));
        List<Alias> calls = new ArrayList<>();
        aggregate.calls().forEach(call -> calls.add((Alias) replace(call, uses, shared, context)));
        List<NamedExpr> items = new ArrayList<>(aggregate.child().output());
        items.addAll(shared.values());
        return Optional.of(new LogicalAggregate(keys, calls, new LogicalProject(items, aggregate.child())));
    }

    /** Whether the inputs of the node are computed whenever the node is. */
    private static boolean isTransparent(Expr expression) {
        return expression instanceof ScalarCall call && call.nulls() == NullMode.PROPAGATE && !call.isVolatile();
    }

    private static void count(Expr expression, Map<Expr, Integer> uses) {
        visitShareable(expression, call -> uses.merge(call, 1, Integer::sum));
    }

    private static void visitShareable(Expr expression, java.util.function.Consumer<ScalarCall> consumer) {
        if (expression instanceof ScalarCall call) {
            if (!isTransparent(call)) {
                return;
            }
            if (!call.slots().isEmpty()) {
                consumer.accept(call);
            }
        } else if (!isWrapper(expression)) {
            return;
        }
        expression.children().forEach(child -> visitShareable(child, consumer));
    }

    private static boolean isWrapper(Expr expression) {
        return expression instanceof Alias
                || expression instanceof org.thetis.sql.expr.AggregateCall
                || expression instanceof org.thetis.sql.expr.Cast;
    }

    private static Expr replace(
            Expr expression, Map<Expr, Integer> uses, Map<Expr, Alias> shared, RuleContext context) {
        if (expression instanceof ScalarCall call) {
            if (!isTransparent(call)) {
                return expression;
            }
            if (uses.getOrDefault(call, 0) > 1 && !call.slots().isEmpty()) {
                return shared.computeIfAbsent(call, key -> context.alias(key.sql(), key))
                        .toSlot();
            }
        } else if (!isWrapper(expression)) {
            return expression;
        }
        List<Expr> children = expression.children();
        List<Expr> replaced = children.stream()
                .map(child -> replace(child, uses, shared, context))
                .toList();
        return replaced.equals(children) ? expression : expression.withChildren(replaced);
    }
}
