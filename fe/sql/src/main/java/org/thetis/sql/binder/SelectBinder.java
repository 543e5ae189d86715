// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.SelectItem;
import org.thetis.sql.ast.SortItem;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.SortKey;
import org.thetis.sql.expr.WindowCall;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalPlan;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.LogicalWindow;

/** Binds one SELECT with the ORDER BY that follows it, in the order the clauses take effect. */
final class SelectBinder {
    private final QueryBinder queries;
    private final BindContext context;
    private final @Nullable Scope outer;

    SelectBinder(QueryBinder queries, @Nullable Scope outer) {
        this.queries = queries;
        this.context = queries.context();
        this.outer = outer;
    }

    /** A select-list column: its expression and name. */
    record Item(Expr expression, String name) {}

    LogicalPlan bind(QueryBody.Select select, List<SortItem> orderBy) {
        LogicalPlan plan = LogicalValues.oneRow();
        Scope scope = Scope.empty(outer);
        if (select.from() != null) {
            RelationBinder.Bound from = new RelationBinder(queries, outer).bind(select.from());
            plan = from.plan();
            scope = from.scope();
        }
        if (select.where() != null) {
            Expr condition = queries.expressions(scope, "where clause").condition(select.where());
            plan = new LogicalFilter(Conjuncts.split(condition), plan);
        }

        List<Item> items = items(select, scope);
        Map<String, Expr> aliases = aliases(select, items);
        Expr having = select.having() == null
                ? null
                : binder(scope, "having clause", aliases, false, false).condition(select.having());
        Expr qualify = select.qualify() == null
                ? null
                : binder(scope, "qualify clause", aliases, false, true).condition(select.qualify());
        List<SortKey> order = order(orderBy, scope, aliases, items);

        Scope from = scope;
        List<Item> selected = items;
        GroupBinder groups =
                new GroupBinder(queries, scope, expression -> groupExpression(expression, from, aliases, selected));
        GroupBinder.Grouped grouped = groups.bind(select, plan, expressions(items, having, qualify, order));
        if (grouped != null) {
            plan = grouped.plan();
            items = items.stream()
                    .map(item -> new Item(grouped.replace(item.expression()), item.name()))
                    .toList();
            having = having == null ? null : grouped.replace(having);
            qualify = qualify == null ? null : grouped.replace(qualify);
            order = order.stream()
                    .map(key -> key.withExpression(grouped.replace(key.expression())))
                    .toList();
        }
        if (having != null) {
            plan = new LogicalFilter(Conjuncts.split(having), plan);
        }
        return finish(select, plan, items, qualify, order);
    }

    private LogicalPlan finish(
            QueryBody.Select select, LogicalPlan input, List<Item> items, @Nullable Expr qualify, List<SortKey> order) {
        LogicalPlan plan = input;
        Map<Expr, SlotReference> windows = new LinkedHashMap<>();
        plan = windows(plan, expressions(items, null, qualify, order), windows);
        if (qualify != null) {
            plan = new LogicalFilter(Conjuncts.split(replace(qualify, windows)), plan);
        }
        List<NamedExpr> columns = new ArrayList<>();
        Map<Expr, SlotReference> produced = new HashMap<>();
        for (Item item : items) {
            Expr expression = replace(item.expression(), windows);
            NamedExpr column = queries.named(expression, item.name());
            if (columns.contains(column)) {
                column = new Alias(context.ids().next(), item.name(), expression);
            }
            columns.add(column);
            produced.putIfAbsent(expression, column.toSlot());
        }
        int visible = columns.size();
        List<SortKey> keys = new ArrayList<>();
        for (SortKey key : order) {
            Expr expression = replace(key.expression(), windows);
            SlotReference slot = produced.get(expression);
            if (slot == null) {
                if (select.distinct()) {
                    throw Errors.analysis(
                            "with DISTINCT, ORDER BY expressions must be in the select list: "
                                    + key.expression().sql(),
                            select.position());
                }
                NamedExpr hidden = queries.named(
                        expression, expression instanceof SlotReference s ? s.name() : "order_key_" + keys.size());
                columns.add(hidden);
                slot = hidden.toSlot();
                produced.put(expression, slot);
            }
            keys.add(key.withExpression(slot));
        }
        plan = new LogicalProject(columns, plan);
        if (select.distinct()) {
            plan = QueryBinder.distinct(plan);
        }
        if (!keys.isEmpty()) {
            plan = new LogicalSort(keys, plan);
        }
        if (columns.size() > visible) {
            plan = new LogicalProject(List.copyOf(plan.output().subList(0, visible)), plan);
        }
        return plan;
    }

    private ExprBinder binder(
            Scope scope, String clause, Map<String, Expr> aliases, boolean aliasFirst, boolean windows) {
        return new ExprBinder(
                context, scope, queries, new ExprBinder.Rules(clause, aliases, aliasFirst, true, windows));
    }

    private static List<Expr> expressions(
            List<Item> items, @Nullable Expr having, @Nullable Expr qualify, List<SortKey> order) {
        List<Expr> all = new ArrayList<>();
        items.forEach(item -> all.add(item.expression()));
        if (having != null) {
            all.add(having);
        }
        if (qualify != null) {
            all.add(qualify);
        }
        order.forEach(key -> all.add(key.expression()));
        return all;
    }

    private List<Item> items(QueryBody.Select select, Scope scope) {
        ExprBinder binder = binder(scope, "field list", Map.of(), false, true);
        List<Item> items = new ArrayList<>();
        for (SelectItem item : select.items()) {
            if (item instanceof SelectItem.Single single) {
                Expr expression = binder.bind(single.expression());
                items.add(new Item(expression, name(single, expression)));
            } else {
                star((SelectItem.All) item, scope, binder, items);
            }
        }
        return items;
    }

    private static String name(SelectItem.Single item, Expr expression) {
        if (item.alias() != null) {
            return item.alias();
        }
        if (item.expression() instanceof Expression.ColumnReference && expression instanceof SlotReference slot) {
            return slot.name();
        }
        return item.text();
    }

    private static void star(SelectItem.All star, Scope scope, ExprBinder binder, List<Item> items) {
        List<Scope.Column> columns = scope.star(star.qualifier());
        if (columns.isEmpty()) {
            String what = star.qualifier().isEmpty()
                    ? "SELECT * needs a FROM clause"
                    : "Unknown table '" + String.join(".", star.qualifier()) + "'";
            throw Errors.analysis(what, star.position());
        }
        Map<String, SelectItem.Single> replaced = new HashMap<>();
        star.replace()
                .forEach(single -> replaced.put(String.valueOf(single.alias()).toLowerCase(Locale.ROOT), single));
        List<String> except = star.except().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
        List<String> names = columns.stream()
                .map(column -> column.slot().name().toLowerCase(Locale.ROOT))
                .toList();
        for (String name : except) {
            if (!names.contains(name)) {
                throw Errors.unknownColumn(name, "EXCEPT list", names, star.position());
            }
        }
        for (Scope.Column column : columns) {
            String name = column.slot().name().toLowerCase(Locale.ROOT);
            if (except.contains(name)) {
                continue;
            }
            SelectItem.Single other = replaced.get(name);
            items.add(new Item(
                    other == null ? column.slot() : binder.bind(other.expression()),
                    column.slot().name()));
        }
    }

    private static Map<String, Expr> aliases(QueryBody.Select select, List<Item> items) {
        Map<String, Expr> aliases = new HashMap<>();
        boolean stars = select.items().stream().anyMatch(SelectItem.All.class::isInstance);
        for (int i = 0; i < items.size(); i++) {
            boolean explicit =
                    stars || select.items().get(i) instanceof SelectItem.Single single && single.alias() != null;
            if (explicit) {
                aliases.putIfAbsent(
                        items.get(i).name().toLowerCase(Locale.ROOT),
                        items.get(i).expression());
            }
        }
        return aliases;
    }

    private List<SortKey> order(List<SortItem> orderBy, Scope scope, Map<String, Expr> aliases, List<Item> items) {
        ExprBinder binder = binder(scope, "order clause", aliases, true, true);
        List<SortKey> keys = new ArrayList<>();
        for (SortItem item : orderBy) {
            Literal position = QueryBinder.position(item.expression(), items.size());
            Expr key = position == null
                    ? binder.bind(item.expression())
                    : items.get((int) position.longValue() - 1).expression();
            if (!(key instanceof Literal)) {
                keys.add(new SortKey(
                        key, item.ascending(), item.nullsFirst() == null ? item.ascending() : item.nullsFirst()));
            }
        }
        return keys;
    }

    private Expr groupExpression(Expression expression, Scope scope, Map<String, Expr> aliases, List<Item> items) {
        Literal position = QueryBinder.position(expression, items.size());
        Expr key = position == null
                ? new ExprBinder(
                                context,
                                scope,
                                queries,
                                new ExprBinder.Rules("group statement", aliases, false, false, false))
                        .bind(expression)
                : items.get((int) position.longValue() - 1).expression();
        if (key.anyMatch(e -> e instanceof AggregateCall || e instanceof WindowCall)) {
            throw Errors.analysis(
                    "GROUP BY expression must not contain aggregate functions: " + key.sql(), expression.position());
        }
        return key;
    }

    /** Adds Window nodes for every window call among the expressions and records which column each call became. */
    private LogicalPlan windows(LogicalPlan input, List<Expr> expressions, Map<Expr, SlotReference> columns) {
        Map<List<Object>, List<Alias>> byWindow = new LinkedHashMap<>();
        for (Expr expression : expressions) {
            expression.visit(node -> {
                if (node instanceof WindowCall call && !columns.containsKey(call)) {
                    Alias alias = new Alias(context.ids().next(), call.sql(), call);
                    columns.put(call, alias.toSlot());
                    byWindow.computeIfAbsent(List.of(call.partitionBy(), call.orderBy()), key -> new ArrayList<>())
                            .add(alias);
                }
            });
        }
        LogicalPlan plan = input;
        for (List<Alias> calls : byWindow.values()) {
            plan = new LogicalWindow(calls, plan);
        }
        return plan;
    }

    /** Replaces every expression of the map, outermost first. */
    static Expr replace(Expr expression, Map<Expr, SlotReference> columns) {
        SlotReference slot = columns.get(expression);
        if (slot != null) {
            return slot;
        }
        List<Expr> children = expression.children();
        if (children.isEmpty()) {
            return expression;
        }
        List<Expr> replaced =
                children.stream().map(child -> replace(child, columns)).toList();
        return replaced.equals(children) ? expression : expression.withChildren(replaced);
    }
}
