// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.ComparisonOperator;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.LogicalOperator;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.UnaryOperator;
import org.thetis.sql.binder.PlainLiterals;
import org.thetis.sql.expr.Literal;

/** Takes the equalities of keys out of a SELECT's condition; what is left is bound as ever. Used once, by one thread. */
final class PointShape {
    /** A parameter of the look-up itself: compared with a column by the back end. */
    record Free(KeyColumn column, KeyTerm.Source source) {}

    private final OlapTable table;
    private final String database;
    private final String alias;
    private final LiteralPlaces literals;
    private final Map<String, KeyTerm> terms = new TreeMap<>();
    private final Map<Integer, Free> free = new TreeMap<>();
    private final List<Expression> rest = new ArrayList<>();

    /** @param literals which literals are parameters */
    PointShape(OlapTable table, String database, String alias, LiteralPlaces literals) {
        this.table = table;
        this.database = database;
        this.alias = alias;
        this.literals = literals;
    }

    /** Sorts the parts of the condition into keys, comparisons with values that come later, and the rest. */
    void read(Expression condition) {
        if (condition instanceof Expression.Logical logical && logical.operator() == LogicalOperator.AND) {
            logical.operands().forEach(this::read);
        } else if (!isKey(condition)) {
            rest.add(freed(condition));
        }
    }

    /** How many keys have a value. */
    int numKeys() {
        return terms.size();
    }

    /** A term for each key of the table; fails with the first that has none. */
    List<KeyTerm> terms() {
        List<KeyTerm> all = new ArrayList<>();
        for (SchemaColumn column : table.baseIndex().keyColumns()) {
            KeyTerm term = terms.get(lower(column.name()));
            if (term == null) {
                throw new NotByKey("key column " + column.name() + " is not compared with a constant");
            }
            all.add(term);
        }
        return all;
    }

    /** The parameters that the back end compares, by ordinal. */
    Map<Integer, Free> free() {
        return free;
    }

    /** Whether one key at most is asked for. */
    boolean isSingle() {
        return terms.values().stream().noneMatch(term -> term.sources().size() > 1);
    }

    /** The query without what was taken out of its condition. */
    Query remaining(Query query, QueryBody.Select select) {
        Expression where = rest.isEmpty()
                ? null
                : rest.size() == 1
                        ? rest.get(0)
                        : new Expression.Logical(rest.get(0).position(), LogicalOperator.AND, rest);
        QueryBody.Select body = new QueryBody.Select(
                select.position(),
                select.hints(),
                select.distinct(),
                select.items(),
                select.from(),
                where,
                select.groupBy(),
                select.having(),
                select.qualify());
        return new Query(query.position(), query.with(), body, query.orderBy(), query.limit());
    }

    private boolean isKey(Expression condition) {
        if (condition instanceof Expression.Comparison comparison
                && comparison.operator() == ComparisonOperator.EQUAL) {
            return isKey(comparison.left(), List.of(comparison.right()), false)
                    || isKey(comparison.right(), List.of(comparison.left()), false);
        }
        return condition instanceof Expression.InList in && !in.negated() && isKey(in.value(), in.options(), true);
    }

    private boolean isKey(Expression column, List<Expression> constants, boolean isList) {
        Optional<SchemaColumn> found = column(column).filter(SchemaColumn::key);
        if (found.isEmpty() || constants.size() > KeyRouter.MAX_KEYS) {
            return false;
        }
        String name = lower(found.get().name());
        List<KeyTerm.Source> sources = new ArrayList<>();
        for (Expression constant : constants) {
            KeyTerm.Source source = source(constant);
            if (source == null) {
                return false;
            }
            sources.add(source);
        }
        if (terms.containsKey(name) || !KeyColumn.isSupported(found.get().type())) {
            return false;
        }
        terms.put(name, new KeyTerm(new KeyColumn(name, found.get().type()), sources, isList));
        return true;
    }

    /** The condition with its constant as a parameter, when it is a plain comparison of a column with one. */
    private Expression freed(Expression condition) {
        if (!(condition instanceof Expression.Comparison comparison)
                || comparison.operator() == ComparisonOperator.NULL_SAFE_EQUAL) {
            return condition;
        }
        Optional<SchemaColumn> left = column(comparison.left());
        Optional<SchemaColumn> right = column(comparison.right());
        if (left.isPresent() == right.isPresent()) {
            return condition;
        }
        SchemaColumn column = left.isPresent() ? left.get() : right.orElseThrow();
        Expression constant = left.isPresent() ? comparison.right() : comparison.left();
        KeyTerm.Source source = source(constant);
        if (source == null || source.parameter() < 0 || !KeyColumn.isSupported(column.type())) {
            return condition;
        }
        DataType type = column.type().isText() ? DataType.STRING : column.type();
        free.put(source.parameter(), new Free(new KeyColumn(column.name(), type), source));
        Expression parameter = new Expression.Parameter(constant.position(), source.parameter());
        return new Expression.Comparison(
                comparison.position(),
                comparison.operator(),
                left.isPresent() ? comparison.left() : parameter,
                left.isPresent() ? parameter : comparison.right());
    }

    private Optional<SchemaColumn> column(Expression expression) {
        if (!(expression instanceof Expression.ColumnReference reference)) {
            return Optional.empty();
        }
        List<String> parts = reference.parts();
        int count = parts.size();
        boolean named = count <= 3
                && (count < 2 || parts.get(count - 2).equalsIgnoreCase(alias))
                && (count < 3 || parts.get(0).equalsIgnoreCase(database));
        return named
                ? table.baseIndex().findColumn(parts.get(count - 1)).filter(SchemaColumn::visible)
                : Optional.empty();
    }

    private KeyTerm.@Nullable Source source(Expression expression) {
        if (expression instanceof Expression.Unary unary && unary.operator() == UnaryOperator.NEGATE) {
            KeyTerm.Source source = source(unary.operand());
            return source == null || source.negated() ? null : source.negate();
        }
        if (expression instanceof Expression.Parameter parameter) {
            return new KeyTerm.Source(parameter.ordinal(), null, false);
        }
        Literal constant = PlainLiterals.of(expression);
        if (constant == null) {
            return null;
        }
        int ordinal = literals.ordinal(expression.position(), constant);
        return ordinal < 0 ? new KeyTerm.Source(-1, constant, false) : new KeyTerm.Source(ordinal, null, false);
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
