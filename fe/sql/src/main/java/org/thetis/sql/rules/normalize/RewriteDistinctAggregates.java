// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.CaseWhen;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.functions.FunctionEntry;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Aggregate count(distinct x) by g      Aggregate count(x) by g
 *   A                              ->     Aggregate by g, x
 *                                           A
 *
 * when all calls are distinct over the same arguments; otherwise count and sum become multi_distinct_count and multi_distinct_sum.
 */
public record RewriteDistinctAggregates() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.of(LogicalAggregate.class);
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalAggregate aggregate = match.root(LogicalAggregate.class);
        List<AggregateCall> calls =
                aggregate.calls().stream().map(LogicalAggregate::function).toList();
        if (calls.stream().noneMatch(AggregateCall::distinct)) {
            return Optional.empty();
        }
        Set<List<Expr>> arguments = new HashSet<>();
        calls.forEach(call -> arguments.add(call.arguments()));
        if (calls.stream().allMatch(AggregateCall::distinct)
                && arguments.size() == 1
                && calls.get(0).orderBy().isEmpty()) {
            return Optional.of(twoLevels(aggregate, calls.get(0).arguments(), context));
        }
        List<Alias> rewritten = new ArrayList<>();
        boolean changed = false;
        for (Alias alias : aggregate.calls()) {
            AggregateCall call = LogicalAggregate.function(alias);
            String name = "multi_distinct_" + call.name();
            boolean known = context.functions()
                    .catalog()
                    .find(FunctionEntry.Kind.AGGREGATE, name)
                    .isPresent();
            if (call.distinct()
                    && call.arguments().size() == 1
                    && known
                    && call.orderBy().isEmpty()) {
                rewritten.add(new Alias(
                        alias.id(),
                        alias.name(),
                        context.functions().aggregate(name, call.arguments(), false, List.of())));
                changed = true;
            } else {
                rewritten.add(alias);
            }
        }
        return changed
                ? Optional.of(new LogicalAggregate(aggregate.keys(), rewritten, aggregate.child()))
                : Optional.empty();
    }

    private static Plan twoLevels(LogicalAggregate aggregate, List<Expr> arguments, RuleContext context) {
        List<NamedExpr> inner = new ArrayList<>(aggregate.keys());
        Map<Expr, SlotReference> columns = new HashMap<>();
        for (Expr argument : arguments) {
            if (argument instanceof Literal || columns.containsKey(argument)) {
                continue;
            }
            NamedExpr column = argument instanceof SlotReference slot ? slot : context.alias(argument.sql(), argument);
            if (!inner.contains(column)) {
                inner.add(column);
            }
            columns.put(argument, column.toSlot());
        }
        Plan distinct = new LogicalAggregate(inner, List.of(), aggregate.child());
        List<Alias> outer = new ArrayList<>();
        for (Alias alias : aggregate.calls()) {
            AggregateCall call = LogicalAggregate.function(alias);
            List<Expr> over = new ArrayList<>();
            for (Expr argument : call.arguments()) {
                SlotReference column = columns.get(argument);
                over.add(column == null ? argument : column);
            }
            outer.add(new Alias(alias.id(), alias.name(), single(call, over, context)));
        }
        return new LogicalAggregate(
                List.copyOf(aggregate.keys().stream().map(NamedExpr::toSlot).toList()), outer, distinct);
    }

    /** The call over distinct rows; count of several arguments counts the rows in which none is NULL. */
    private static AggregateCall single(AggregateCall call, List<Expr> arguments, RuleContext context) {
        if (arguments.size() < 2 || !call.name().equals("count")) {
            return new AggregateCall(
                    call.name(), arguments, false, call.orderBy(), call.type(), call.stateType(), call.nulls());
        }
        List<Expr> present = arguments.stream().map(Calls::isNotNull).toList();
        Expr condition = new org.thetis.sql.expr.Connective(true, present);
        Expr one = new CaseWhen(
                List.of(condition), List.of(Literal.bigint(1)), null, org.thetis.catalog.type.DataType.BIGINT);
        return context.functions().aggregate("count", List.of(one), false, List.of());
    }
}
