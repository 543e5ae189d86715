// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.Limit;
import org.thetis.sql.ast.NamedQuery;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.SetOperator;
import org.thetis.sql.ast.SortItem;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.SortKey;
import org.thetis.sql.expr.WindowCall;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.functions.Coercion;
import org.thetis.sql.functions.WidenedTypes;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalPlan;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.LogicalUnion;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.LogicalWindow;

/** Binds queries. An instance knows the WITH names in force; a query with its own WITH is bound by another instance. */
public final class QueryBinder {
    /** A WITH query and the binder that knows the names it may use; no binder inside the query itself. */
    record Named(NamedQuery definition, @Nullable QueryBinder binder) {}

    private final BindContext context;
    private final Map<String, Named> namedQueries;

    public QueryBinder(BindContext context) {
        this(context, Map.of());
    }

    private QueryBinder(BindContext context, Map<String, Named> namedQueries) {
        this.context = context;
        this.namedQueries = namedQueries;
    }

    BindContext context() {
        return context;
    }

    /** A WITH query by name, or null. */
    @Nullable
    Named namedQuery(String name) {
        return namedQueries.get(name.toLowerCase(Locale.ROOT));
    }

    /** Binds a whole query. */
    public LogicalPlan bind(Query query) {
        return bindNested(query, null);
    }

    /** Binds a query that may name columns of the scope around it. */
    LogicalPlan bindNested(Query query, @Nullable Scope outer) {
        context.enter();
        try {
            return with(query.with()).bindParts(query, outer);
        } finally {
            context.leave();
        }
    }

    /** A binder that also knows the given WITH queries. */
    public QueryBinder with(List<NamedQuery> tables) {
        QueryBinder binder = this;
        for (NamedQuery table : tables) {
            Map<String, Named> more = new HashMap<>(binder.namedQueries);
            String name = table.name().toLowerCase(Locale.ROOT);
            QueryBinder definition = binder;
            if (table.recursive()) {
                Map<String, Named> inside = new HashMap<>(more);
                inside.put(name, new Named(table, null));
                definition = new QueryBinder(context, inside);
            }
            more.put(name, new Named(table, definition));
            binder = new QueryBinder(context, more);
        }
        return binder;
    }

    private LogicalPlan bindParts(Query query, @Nullable Scope outer) {
        LogicalPlan plan;
        if (query.body() instanceof QueryBody.Select select) {
            plan = new SelectBinder(this, outer).bind(select, query.orderBy());
        } else {
            plan = bindBody(query.body(), outer);
            if (!query.orderBy().isEmpty()) {
                plan = sortOutput(plan, query.orderBy(), outer);
            }
        }
        return query.limit() == null ? plan : limit(plan, query.limit());
    }

    private LogicalPlan limit(LogicalPlan plan, Limit limit) {
        long count = limit.count() == null ? -1 : limitValue(limit.count());
        long offset = limit.offset() == null ? 0 : limitValue(limit.offset());
        return count < 0 && offset == 0 ? plan : new LogicalLimit(count, offset, plan);
    }

    private long limitValue(Expression expression) {
        Expr value = expressions(Scope.empty(null), "limit clause").bind(expression);
        if (value instanceof Literal literal
                && literal.type().isInteger()
                && !literal.isNull()
                && literal.longValue() >= 0) {
            return literal.longValue();
        }
        throw Errors.analysis("LIMIT and OFFSET take integers >= 0", expression.position());
    }

    ExprBinder expressions(Scope scope, String clause) {
        return new ExprBinder(context, scope, this, ExprBinder.Rules.plain(clause));
    }

    private LogicalPlan bindBody(QueryBody body, @Nullable Scope outer) {
        if (body instanceof QueryBody.Select select) {
            return new SelectBinder(this, outer).bind(select, List.of());
        }
        if (body instanceof QueryBody.Nested nested) {
            return bindNested(nested.query(), outer);
        }
        if (body instanceof QueryBody.Values values) {
            return values(values, outer);
        }
        return setOperation((QueryBody.SetOperation) body, outer);
    }

    private LogicalPlan values(QueryBody.Values values, @Nullable Scope outer) {
        ExprBinder binder = expressions(Scope.empty(outer), "values list");
        List<List<Expr>> rows = new ArrayList<>(values.rows().size());
        int width = values.rows().get(0).size();
        List<DataType> types = new ArrayList<>(Collections.nCopies(width, DataType.NULL));
        for (List<Expression> row : values.rows()) {
            if (row.size() != width) {
                throw Errors.analysis("rows of VALUES differ in width", values.position());
            }
            List<Expr> bound = binder.bindAll(row);
            for (int i = 0; i < width; i++) {
                int column = i;
                types.set(
                        i,
                        WidenedTypes.branch(types.get(i), bound.get(i).type())
                                .orElseThrow(() -> Errors.analysis(
                                        "column " + (column + 1) + " of VALUES has no common type",
                                        values.position())));
            }
            rows.add(bound);
        }
        List<SlotReference> output = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            int column = i;
            DataType type = types.get(i);
            rows.forEach(row -> row.set(column, Coercion.to(row.get(column), type)));
            boolean nullable = rows.stream().anyMatch(row -> row.get(column).nullable());
            output.add(new SlotReference(context.ids().next(), null, "column_" + i, type, nullable, null));
        }
        return new LogicalValues(output, rows);
    }

    private LogicalPlan setOperation(QueryBody.SetOperation operation, @Nullable Scope outer) {
        List<LogicalPlan> inputs = new ArrayList<>();
        QueryBody left = operation;
        List<QueryBody> bodies = new ArrayList<>();
        while (left instanceof QueryBody.SetOperation next
                && next.operator() == operation.operator()
                && next.all() == operation.all()) {
            bodies.add(next.right());
            left = next.left();
        }
        bodies.add(left);
        Collections.reverse(bodies);
        bodies.forEach(body -> inputs.add(bindBody(body, outer)));
        List<LogicalPlan> aligned = align(inputs, operation);
        if (operation.operator() == SetOperator.UNION) {
            LogicalPlan union = union(aligned);
            return operation.all() ? union : distinct(union);
        }
        JoinKind kind = operation.operator() == SetOperator.INTERSECT ? JoinKind.LEFT_SEMI : JoinKind.LEFT_ANTI;
        LogicalPlan result = operation.all() ? aligned.get(0) : distinct(aligned.get(0));
        for (LogicalPlan other : aligned.subList(1, aligned.size())) {
            result = operation.all() ? matchCopies(kind, result, other) : matchRows(kind, result, other);
        }
        return result;
    }

    private static LogicalPlan matchRows(JoinKind kind, LogicalPlan left, LogicalPlan right) {
        List<Expr> conditions = new ArrayList<>();
        for (int i = 0; i < left.output().size(); i++) {
            conditions.add(Calls.compare(
                    "eq_for_null", left.output().get(i), right.output().get(i)));
        }
        return new LogicalJoin(kind, conditions, left, right);
    }

    /** Copies of a row are numbered on both sides, so that the n-th meets the n-th. */
    private LogicalPlan matchCopies(JoinKind kind, LogicalPlan left, LogicalPlan right) {
        List<NamedExpr> columns = List.copyOf(left.output());
        return new LogicalProject(columns, matchRows(kind, numbered(left), numbered(right)));
    }

    private LogicalPlan numbered(LogicalPlan input) {
        WindowCall number = new WindowCall(
                "row_number", List.of(), List.copyOf(input.output()), List.of(), null, DataType.BIGINT, false);
        return new LogicalWindow(List.of(new Alias(context.ids().next(), "row_number", number)), input);
    }

    private List<LogicalPlan> align(List<LogicalPlan> inputs, QueryBody.SetOperation operation) {
        int width = inputs.get(0).output().size();
        List<DataType> types = new ArrayList<>();
        for (LogicalPlan input : inputs) {
            if (input.output().size() != width) {
                throw Errors.analysis(
                        "The used SELECT statements have a different number of columns: " + width + " and "
                                + input.output().size(),
                        operation.position());
            }
        }
        for (int i = 0; i < width; i++) {
            int column = i;
            types.add(WidenedTypes.branch(inputs.stream()
                            .map(input -> input.output().get(column).type())
                            .toList())
                    .orElseThrow(() -> Errors.analysis(
                            "column " + (column + 1) + " of the set operation has no common type",
                            operation.position())));
        }
        List<LogicalPlan> aligned = new ArrayList<>();
        for (LogicalPlan input : inputs) {
            List<Expr> converted = new ArrayList<>();
            for (int i = 0; i < width; i++) {
                converted.add(Coercion.to(input.output().get(i), types.get(i)));
            }
            aligned.add(converted.equals(List.copyOf(input.output())) ? input : project(input, converted));
        }
        return aligned;
    }

    private LogicalPlan union(List<LogicalPlan> inputs) {
        List<SlotReference> output = new ArrayList<>();
        for (int i = 0; i < inputs.get(0).output().size(); i++) {
            int column = i;
            SlotReference first = inputs.get(0).output().get(i);
            boolean nullable =
                    inputs.stream().anyMatch(input -> input.output().get(column).nullable());
            output.add(new SlotReference(context.ids().next(), null, first.name(), first.type(), nullable, null));
        }
        return new LogicalUnion(output, List.copyOf(inputs));
    }

    /** One row per distinct row of the input. */
    static LogicalPlan distinct(LogicalPlan plan) {
        return new LogicalAggregate(List.copyOf(plan.output()), List.of(), plan);
    }

    /** The input's columns replaced by expressions over them, names kept. */
    LogicalPlan project(LogicalPlan input, List<Expr> expressions) {
        List<NamedExpr> items = new ArrayList<>();
        for (int i = 0; i < expressions.size(); i++) {
            items.add(named(expressions.get(i), input.output().get(i).name()));
        }
        return new LogicalProject(items, input);
    }

    /** The expression as an output column. */
    NamedExpr named(Expr expression, String name) {
        if (expression instanceof SlotReference slot && slot.name().equals(name)) {
            return slot;
        }
        String qualifier = expression instanceof SlotReference slot ? slot.qualifier() : null;
        return new Alias(context.ids().next(), name, expression, qualifier);
    }

    private LogicalPlan sortOutput(LogicalPlan plan, List<SortItem> items, @Nullable Scope outer) {
        ExprBinder binder = expressions(Scope.of(null, plan.output(), outer), "order clause");
        List<SortKey> keys = new ArrayList<>();
        for (SortItem item : items) {
            Expr key = position(item.expression(), plan.output().size());
            key = key instanceof Literal place
                    ? plan.output().get((int) place.longValue() - 1)
                    : binder.bind(item.expression());
            if (!(key instanceof Literal)) {
                keys.add(new SortKey(
                        key, item.ascending(), item.nullsFirst() == null ? item.ascending() : item.nullsFirst()));
            }
        }
        return keys.isEmpty() ? plan : new LogicalSort(keys, plan);
    }

    /** A 1-based output position written as an integer, or null when the expression is none. */
    static @Nullable Literal position(Expression expression, int width) {
        if (!(expression instanceof Expression.IntegerLiteral literal)) {
            return null;
        }
        if (literal.value().signum() <= 0
                || literal.value().bitLength() > 31
                || literal.value().intValueExact() > width) {
            throw Errors.analysis("position " + literal.value() + " is not in the select list", expression.position());
        }
        return Literal.integer(literal.value());
    }
}
