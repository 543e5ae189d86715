// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.GroupBy;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.NullMode;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalPlan;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalRepeat;

/** Binds GROUP BY (plain, ROLLUP, CUBE, GROUPING SETS) and collects the aggregates of the other clauses into one node. */
final class GroupBinder {
    private final QueryBinder queries;
    private final BindContext context;
    private final Scope scope;
    private final Function<Expression, Expr> keyBinder;

    GroupBinder(QueryBinder queries, Scope scope, Function<Expression, Expr> keyBinder) {
        this.queries = queries;
        this.context = queries.context();
        this.scope = scope;
        this.keyBinder = keyBinder;
    }

    /** The aggregated plan and what expressions over the input have become above it. */
    final class Grouped {
        private final LogicalPlan plan;
        private final Map<Expr, SlotReference> columns;
        private final List<Expr> keys;
        private final @Nullable SlotReference groupingId;

        Grouped(
                LogicalPlan plan,
                Map<Expr, SlotReference> columns,
                List<Expr> keys,
                @Nullable SlotReference groupingId) {
            this.plan = plan;
            this.columns = columns;
            this.keys = keys;
            this.groupingId = groupingId;
        }

        LogicalPlan plan() {
            return plan;
        }

        /** The expression over the aggregate's output; fails for a column that is neither grouped nor aggregated. */
        Expr replace(Expr expression) {
            Expr replaced = SelectBinder.replace(grouping(expression), columns);
            Set<SlotReference> available = new HashSet<>(plan.output());
            for (SlotReference slot : replaced.slots()) {
                boolean local = scope.columns().stream()
                        .anyMatch(column -> column.slot().equals(slot));
                if (local && !available.contains(slot)) {
                    throw new ThetisException(
                            ErrorCode.ANALYSIS,
                            "'" + slot.name()
                                    + "' must appear in the GROUP BY clause or be used in an aggregate function");
                }
            }
            return replaced;
        }

        /** GROUPING and GROUPING_ID as bits of the grouping id. */
        private Expr grouping(Expr expression) {
            return expression.rewrite(node -> {
                if (!(node instanceof ScalarCall call) || !call.is("grouping") && !call.is("grouping_id")) {
                    return node;
                }
                if (groupingId == null) {
                    throw Errors.analysis(call.name() + " needs ROLLUP, CUBE or GROUPING SETS", null);
                }
                Expr result = Literal.bigint(0);
                for (Expr argument : call.children()) {
                    int at = keys.indexOf(argument);
                    if (at < 0) {
                        throw Errors.analysis(
                                "the argument of " + call.name() + " is not a grouping column: " + argument.sql(),
                                null);
                    }
                    Expr shifted = bits("bit_shift_right", groupingId, Literal.bigint(keys.size() - 1L - at));
                    Expr bit = bits("bitand", shifted, Literal.bigint(1));
                    result = call.children().size() == 1
                            ? bit
                            : bits("bitor", bits("bit_shift_left", result, Literal.bigint(1)), bit);
                }
                return result;
            });
        }

        private static Expr bits(String name, Expr left, Expr right) {
            return new ScalarCall(name, List.of(left, right), DataType.BIGINT, NullMode.PROPAGATE, false);
        }
    }

    /** The aggregate that the SELECT needs, or null when it groups nothing. */
    @Nullable
    Grouped bind(QueryBody.Select select, LogicalPlan input, List<Expr> expressions) {
        Map<Expr, Alias> calls = new LinkedHashMap<>();
        for (Expr expression : expressions) {
            expression.visit(node -> {
                if (node instanceof AggregateCall call) {
                    calls.computeIfAbsent(call, key -> new Alias(context.ids().next(), call.sql(), call));
                }
            });
        }
        if (select.groupBy() == null && calls.isEmpty()) {
            // HAVING alone filters rows, as in MySQL.
            return null;
        }
        List<Expr> keys = new ArrayList<>();
        List<List<Integer>> sets = select.groupBy() == null ? List.of() : sets(select.groupBy(), keys);
        boolean repeats = select.groupBy() != null && !(select.groupBy() instanceof GroupBy.Expressions);
        return repeats ? repeated(input, keys, sets, calls) : plain(input, keys, calls);
    }

    private Grouped plain(LogicalPlan input, List<Expr> keys, Map<Expr, Alias> calls) {
        Map<Expr, SlotReference> columns = new LinkedHashMap<>();
        List<NamedExpr> named = new ArrayList<>();
        for (Expr key : keys) {
            if (key instanceof Literal || columns.containsKey(key)) {
                continue;
            }
            NamedExpr column = key instanceof SlotReference slot
                    ? slot
                    : new Alias(context.ids().next(), key.sql(), key);
            named.add(column);
            columns.put(key, column.toSlot());
        }
        if (named.isEmpty() && !keys.isEmpty()) {
            // GROUP BY of constants only: one group, but none for no rows.
            named.add(new Alias(context.ids().next(), keys.get(0).sql(), keys.get(0)));
        }
        calls.forEach((call, alias) -> columns.put(call, alias.toSlot()));
        return new Grouped(new LogicalAggregate(named, List.copyOf(calls.values()), input), columns, keys, null);
    }

    private Grouped repeated(LogicalPlan input, List<Expr> keys, List<List<Integer>> sets, Map<Expr, Alias> calls) {
        Map<Expr, SlotReference> columns = new LinkedHashMap<>();
        List<NamedExpr> items = new ArrayList<>(input.output());
        List<SlotReference> keySlots = new ArrayList<>();
        for (Expr key : keys) {
            // A copy, so that aggregates over the same column still see its values.
            Alias alias =
                    new Alias(context.ids().next(), key instanceof SlotReference slot ? slot.name() : key.sql(), key);
            items.add(alias);
            keySlots.add(alias.toSlot().withNullable(true));
            columns.put(key, alias.toSlot().withNullable(true));
        }
        SlotReference id = new SlotReference(context.ids().next(), null, "GROUPING_ID", DataType.BIGINT, false, null);
        LogicalPlan repeat = new LogicalRepeat(keySlots, sets, id, new LogicalProject(items, input));
        List<NamedExpr> named = new ArrayList<>(keySlots);
        named.add(id);
        calls.forEach((call, alias) -> columns.put(call, alias.toSlot()));
        return new Grouped(new LogicalAggregate(named, List.copyOf(calls.values()), repeat), columns, keys, id);
    }

    /** Grouping sets as key positions; keys are collected in order of appearance. */
    private List<List<Integer>> sets(GroupBy groupBy, List<Expr> keys) {
        if (groupBy instanceof GroupBy.Expressions plain) {
            plain.expressions().forEach(expression -> keyPosition(expression, keys));
            return List.of();
        }
        List<List<Integer>> sets = new ArrayList<>();
        if (groupBy instanceof GroupBy.Rollup rollup) {
            List<Integer> all = rollup.expressions().stream()
                    .map(expression -> keyPosition(expression, keys))
                    .toList();
            for (int length = all.size(); length >= 0; length--) {
                sets.add(all.subList(0, length));
            }
        } else if (groupBy instanceof GroupBy.Cube cube) {
            List<Integer> all = cube.expressions().stream()
                    .map(expression -> keyPosition(expression, keys))
                    .toList();
            if (all.size() > 12) {
                throw Errors.analysis("CUBE takes at most 12 columns", null);
            }
            for (int mask = (1 << all.size()) - 1; mask >= 0; mask--) {
                List<Integer> set = new ArrayList<>();
                for (int i = 0; i < all.size(); i++) {
                    if ((mask >> (all.size() - 1 - i) & 1) != 0) {
                        set.add(all.get(i));
                    }
                }
                sets.add(set);
            }
        } else if (groupBy instanceof GroupBy.GroupingSets given) {
            given.sets()
                    .forEach(set -> sets.add(set.stream()
                            .map(expression -> keyPosition(expression, keys))
                            .toList()));
        }
        return sets;
    }

    private int keyPosition(Expression expression, List<Expr> keys) {
        Expr key = keyBinder.apply(expression);
        int at = keys.indexOf(key);
        if (at < 0) {
            keys.add(key);
            at = keys.size() - 1;
        }
        return at;
    }
}
