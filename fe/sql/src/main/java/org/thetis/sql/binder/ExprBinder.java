// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.ast.ComparisonOperator;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.LogicalOperator;
import org.thetis.sql.ast.VariableScope;
import org.thetis.sql.expr.CaseWhen;
import org.thetis.sql.expr.Cast;
import org.thetis.sql.expr.Casts;
import org.thetis.sql.expr.Connective;
import org.thetis.sql.expr.DateTimes;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprFolder;
import org.thetis.sql.expr.InList;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.Arithmetic;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.functions.Coercion;
import org.thetis.sql.functions.WidenedTypes;

/** Binds expressions in one place of a query: names to columns, calls to signatures, implicit casts made explicit. */
final class ExprBinder {
    private final BindContext context;
    private final Scope scope;
    private final QueryBinder queries;
    private final Rules rules;
    private final CallBinder calls;
    private final SubqueryBinder subqueries;

    /**
     * What holds in the place.
     *
     * @param clause its name in error messages
     * @param aliases select-list names that expressions may use
     * @param aliasFirst whether an alias hides a column of the same name
     * @param aggregates whether aggregate calls may stand here
     * @param windows whether window calls may stand here
     */
    record Rules(String clause, Map<String, Expr> aliases, boolean aliasFirst, boolean aggregates, boolean windows) {
        static Rules plain(String clause) {
            return new Rules(clause, Map.of(), false, false, false);
        }
    }

    ExprBinder(BindContext context, Scope scope, QueryBinder queries, Rules rules) {
        this.context = context;
        this.scope = scope;
        this.queries = queries;
        this.rules = rules;
        this.calls = new CallBinder(context, this, rules);
        this.subqueries = new SubqueryBinder(context, this, queries);
    }

    Scope scope() {
        return scope;
    }

    /** The same place where aggregates are not allowed, for the arguments of one. */
    ExprBinder insideAggregate() {
        return new ExprBinder(context, scope, queries, new Rules(rules.clause, Map.of(), false, false, false));
    }

    /** Binds a condition. */
    Expr condition(Expression expression) {
        return Coercion.toBoolean(bind(expression));
    }

    List<Expr> bindAll(List<Expression> expressions) {
        List<Expr> bound = new ArrayList<>(expressions.size());
        expressions.forEach(expression -> bound.add(bind(expression)));
        return bound;
    }

    /** Binds an expression; failures carry the place of the innermost part that failed. */
    Expr bind(Expression expression) {
        try {
            return ExprFolder.foldNode(node(expression));
        } catch (ThetisException failure) {
            throw Errors.withPosition(failure, expression.position());
        }
    }

    private Expr node(Expression expression) {
        if (expression instanceof Expression.ColumnReference column) {
            return column(column);
        }
        if (expression instanceof Expression.Parameter parameter) {
            SlotReference slot = context.parameterSlot(parameter.ordinal());
            if (slot != null) {
                return slot;
            }
        }
        Expr literal = literal(expression);
        if (literal != null) {
            return literal;
        }
        if (expression instanceof Expression.FunctionCall call) {
            return calls.bind(call);
        }
        if (expression instanceof Expression.Comparison comparison
                && comparison.left() instanceof Expression.StructLiteral left
                && comparison.right() instanceof Expression.StructLiteral right) {
            return compareRows(comparison, bindAll(left.fields()), bindAll(right.fields()));
        }
        if (expression instanceof Expression.Comparison comparison) {
            return compare(comparisonName(comparison), bind(comparison.left()), bind(comparison.right()));
        }
        if (expression instanceof Expression.Logical logical) {
            return logical(logical);
        }
        if (expression instanceof Expression.Not not) {
            return Calls.not(condition(not.operand()));
        }
        if (expression instanceof Expression.Arithmetic arithmetic) {
            return arithmetic(arithmetic);
        }
        if (expression instanceof Expression.Unary unary) {
            Expr operand = bind(unary.operand());
            return switch (unary.operator()) {
                case NEGATE -> Arithmetic.negate(operand);
                case PLUS -> operand;
                case BIT_NOT -> Arithmetic.bitNot(operand);
            };
        }
        return predicate(expression);
    }

    private Expr predicate(Expression expression) {
        if (expression instanceof Expression.Between between) {
            Expr value = bind(between.value());
            Expr both = new Connective(
                    true,
                    List.of(
                            ExprFolder.foldNode(compare("ge", value, bind(between.low()))),
                            ExprFolder.foldNode(compare("le", value, bind(between.high())))));
            return between.negated() ? Calls.not(both) : both;
        }
        if (expression instanceof Expression.InList in && in.value() instanceof Expression.StructLiteral row) {
            return rowInList(bindAll(row.fields()), in);
        }
        if (expression instanceof Expression.InList in) {
            return inList(bind(in.value()), bindAll(in.options()), in.negated());
        }
        if (expression instanceof Expression.IsNull isNull) {
            Expr value = bind(isNull.value());
            return isNull.negated() ? Calls.isNotNull(value) : Calls.isNull(value);
        }
        if (expression instanceof Expression.IsTruth truth) {
            Expr test = Calls.compare("eq_for_null", condition(truth.value()), Literal.of(truth.truth()));
            return truth.negated() ? Calls.not(test) : test;
        }
        if (expression instanceof Expression.Like like) {
            return like(like);
        }
        if (expression instanceof Expression.Case branches) {
            return caseWhen(branches);
        }
        if (expression instanceof Expression.Cast cast) {
            return cast(cast);
        }
        return subqueries.bind(expression);
    }

    private Expr column(Expression.ColumnReference reference) {
        List<String> parts = reference.parts();
        Expr alias = parts.size() == 1 ? rules.aliases.get(parts.get(0).toLowerCase(Locale.ROOT)) : null;
        if (alias != null && rules.aliasFirst) {
            return alias;
        }
        Optional<SlotReference> local = scope.findLocal(parts, reference.position());
        if (local.isPresent()) {
            return local.get();
        }
        if (alias != null) {
            return alias;
        }
        for (Scope outer = scope.parent(); outer != null; outer = outer.parent()) {
            Optional<SlotReference> found = outer.findLocal(parts, reference.position());
            if (found.isPresent()) {
                return found.get();
            }
        }
        if (parts.size() == 1) {
            Optional<Expr> bare = calls.bareName(parts.get(0));
            if (bare.isPresent()) {
                return bare.get();
            }
        }
        throw Errors.unknownColumn(String.join(".", parts), rules.clause, scope.names(), reference.position());
    }

    private @Nullable Expr literal(Expression expression) {
        Literal plain = PlainLiterals.of(expression);
        if (plain != null) {
            return plain;
        }
        if (expression instanceof Expression.TypedLiteral literal) {
            return typedLiteral(literal);
        }
        if (expression instanceof Expression.Parameter parameter) {
            if (parameter.ordinal() >= context.parameters().size()) {
                throw Errors.analysis("no value for parameter " + (parameter.ordinal() + 1), parameter.position());
            }
            return context.parameterValue(parameter.ordinal());
        }
        if (expression instanceof Expression.SystemVariable variable) {
            return context.session()
                    .systemVariable(
                            variable.scope() == VariableScope.GLOBAL,
                            variable.name().toLowerCase(Locale.ROOT))
                    .orElseThrow(() -> Errors.at(
                            ErrorCode.UNKNOWN_VARIABLE,
                            "Unknown system variable '" + variable.name() + "'"
                                    + NearestNames.suggestion(
                                            variable.name(), context.session().systemVariableNames()),
                            variable.position()));
        }
        if (expression instanceof Expression.UserVariable variable) {
            return context.session().userVariable(variable.name());
        }
        return null;
    }

    private static Literal typedLiteral(Expression.TypedLiteral literal) {
        Literal text = Literal.string(literal.text());
        DataType type =
                switch (literal.type()) {
                    case "DATE", "DATEV2", "DATEV1" -> DataType.DATE;
                    case "TIME" -> DataType.time(0);
                    default ->
                        DataType.datetime(
                                literal.text().indexOf('.') < 0
                                        ? 0
                                        : Math.min(
                                                6,
                                                literal.text().length()
                                                        - literal.text().indexOf('.')
                                                        - 1));
                };
        Literal folded =
                type.id() == TypeId.TIME ? DateTimes.parseTime(literal.text()).orElse(null) : Casts.fold(text, type);
        if (folded == null) {
            throw Errors.analysis(
                    literal.type().toLowerCase(Locale.ROOT) + " literal [" + literal.text() + "] is invalid",
                    literal.position());
        }
        return folded;
    }

    /** (a, b) op (c, d): equality of all fields, or the order of the first that differ. */
    private static Expr compareRows(Expression.Comparison comparison, List<Expr> left, List<Expr> right) {
        if (left.size() != right.size()) {
            throw Errors.at(
                    ErrorCode.OPERAND_COLUMNS,
                    "Operand should contain " + left.size() + " column(s), the other row has " + right.size(),
                    comparison.position());
        }
        return switch (comparison.operator()) {
            case EQUAL, NULL_SAFE_EQUAL -> equalRows(comparisonName(comparison.operator()), left, right);
            case NOT_EQUAL -> Calls.not(equalRows("eq", left, right));
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> {
                String last = comparisonName(comparison.operator());
                Expr result = compare(last, left.get(left.size() - 1), right.get(right.size() - 1));
                for (int i = left.size() - 2; i >= 0; i--) {
                    Expr before = compare(last.charAt(0) + "t", left.get(i), right.get(i));
                    Expr same = compare("eq", left.get(i), right.get(i));
                    result = new Connective(false, List.of(before, new Connective(true, List.of(same, result))));
                }
                yield result;
            }
        };
    }

    private static Expr equalRows(String name, List<Expr> left, List<Expr> right) {
        List<Expr> tests = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            tests.add(ExprFolder.foldNode(compare(name, left.get(i), right.get(i))));
        }
        return tests.size() == 1 ? tests.get(0) : new Connective(true, tests);
    }

    private Expr rowInList(List<Expr> row, Expression.InList in) {
        List<Expr> tests = new ArrayList<>();
        for (Expression option : in.options()) {
            if (!(option instanceof Expression.StructLiteral values)
                    || values.fields().size() != row.size()) {
                throw Errors.at(
                        ErrorCode.OPERAND_COLUMNS,
                        "Operand should contain " + row.size() + " column(s)",
                        option.position());
            }
            tests.add(ExprFolder.foldNode(equalRows("eq", row, bindAll(values.fields()))));
        }
        Expr found = tests.size() == 1 ? tests.get(0) : ExprFolder.foldNode(new Connective(false, tests));
        return in.negated() ? Calls.not(found) : found;
    }

    private static String comparisonName(Expression.Comparison comparison) {
        return comparisonName(comparison.operator());
    }

    static String comparisonName(ComparisonOperator operator) {
        return switch (operator) {
            case EQUAL -> "eq";
            case NULL_SAFE_EQUAL -> "eq_for_null";
            case NOT_EQUAL -> "ne";
            case LESS -> "lt";
            case LESS_OR_EQUAL -> "le";
            case GREATER -> "gt";
            case GREATER_OR_EQUAL -> "ge";
        };
    }

    /** Compares two bound values, casting as needed. */
    static Expr compare(String name, Expr left, Expr right) {
        Coercion.Pair pair = Coercion.comparison(left, right);
        return Calls.compare(name, pair.left(), pair.right());
    }

    private Expr logical(Expression.Logical logical) {
        List<Expr> operands = new ArrayList<>();
        logical.operands().forEach(operand -> operands.add(condition(operand)));
        if (logical.operator() == LogicalOperator.XOR) {
            Expr result = operands.get(0);
            for (Expr operand : operands.subList(1, operands.size())) {
                result = Calls.compare("ne", result, operand);
            }
            return result;
        }
        return new Connective(logical.operator() == LogicalOperator.AND, operands);
    }

    private Expr arithmetic(Expression.Arithmetic arithmetic) {
        String name =
                switch (arithmetic.operator()) {
                    case ADD -> "add";
                    case SUBTRACT -> "subtract";
                    case MULTIPLY -> "multiply";
                    case DIVIDE -> "divide";
                    case INTEGER_DIVIDE -> "int_divide";
                    case MODULO -> "mod";
                    case BIT_AND -> "bitand";
                    case BIT_OR -> "bitor";
                    case BIT_XOR -> "bitxor";
                };
        if (arithmetic.right() instanceof Expression.Interval interval
                && (name.equals("add") || name.equals("subtract"))) {
            return calls.shift(bind(arithmetic.left()), interval, name.equals("add"));
        }
        if (arithmetic.left() instanceof Expression.Interval interval && name.equals("add")) {
            return calls.shift(bind(arithmetic.right()), interval, true);
        }
        Expr left = bind(arithmetic.left());
        Expr right = bind(arithmetic.right());
        return name.startsWith("bit") ? Arithmetic.bits(name, left, right) : Arithmetic.binary(name, left, right);
    }

    private Expr inList(Expr value, List<Expr> options, boolean negated) {
        List<Expr> converted = new ArrayList<>(options.size());
        boolean same = true;
        for (Expr option : options) {
            Coercion.Pair pair = Coercion.comparison(value, option);
            same &= pair.left().equals(value)
                    && (pair.right().type().equals(value.type())
                            || Coercion.isSameForm(pair.right().type(), value.type()));
            converted.add(pair.right());
        }
        Expr tested = value;
        if (!same) {
            List<DataType> types = new ArrayList<>();
            types.add(value.type());
            options.forEach(option -> types.add(option.type()));
            DataType type = WidenedTypes.branch(types)
                    .orElseThrow(() -> new ThetisException(ErrorCode.ANALYSIS, "values of IN have no type in common"));
            tested = Coercion.to(value, type);
            converted.replaceAll(option -> option);
            converted.clear();
            options.forEach(option -> converted.add(Coercion.to(option, type)));
        }
        if (converted.stream().allMatch(Literal.class::isInstance)) {
            return new InList(tested, converted, negated);
        }
        Expr left = tested;
        List<Expr> tests = converted.stream()
                .map(option -> Calls.compare(negated ? "ne" : "eq", left, option))
                .toList();
        return tests.size() == 1 ? tests.get(0) : new Connective(negated, tests);
    }

    private Expr like(Expression.Like like) {
        Expr value = Coercion.to(bind(like.value()), DataType.STRING);
        Expr pattern = Coercion.to(bind(like.pattern()), DataType.STRING);
        if (like.escape() != null) {
            pattern = escaped(pattern, bind(like.escape()));
        }
        Expr test = context.functions().scalar(like.regexp() ? "regexp" : "like", List.of(value, pattern));
        return like.negated() ? Calls.not(test) : test;
    }

    /** Rewrites a pattern with another escape character to one that uses the backslash. */
    private static Expr escaped(Expr pattern, Expr escape) {
        if (!(pattern instanceof Literal text)
                || !(escape instanceof Literal sign)
                || String.valueOf(sign.value()).length() != 1) {
            throw Errors.analysis("ESCAPE needs a constant pattern and one character", null);
        }
        char mark = String.valueOf(sign.value()).charAt(0);
        String before = String.valueOf(text.value());
        StringBuilder after = new StringBuilder();
        for (int i = 0; i < before.length(); i++) {
            char c = before.charAt(i);
            if (c == mark && i + 1 < before.length()) {
                char next = before.charAt(++i);
                after.append(next == '%' || next == '_' || next == '\\' ? "\\" + next : String.valueOf(next));
            } else {
                after.append(c == '\\' ? "\\\\" : String.valueOf(c));
            }
        }
        return mark == '\\' ? pattern : Literal.string(after.toString());
    }

    private Expr caseWhen(Expression.Case branches) {
        Expr operand = branches.operand() == null ? null : bind(branches.operand());
        List<Expr> conditions = new ArrayList<>();
        List<Expr> results = new ArrayList<>();
        branches.whens().forEach(when -> {
            conditions.add(
                    operand == null ? condition(when.condition()) : compare("eq", operand, bind(when.condition())));
            results.add(bind(when.result()));
        });
        Expr otherwise = branches.otherwise() == null ? null : bind(branches.otherwise());
        return caseOf(conditions, results, otherwise);
    }

    /** CASE over bound parts, with results of one type. */
    static Expr caseOf(List<Expr> conditions, List<Expr> results, @Nullable Expr otherwise) {
        List<DataType> types = new ArrayList<>(results.stream().map(Expr::type).toList());
        if (otherwise != null) {
            types.add(otherwise.type());
        }
        DataType type = WidenedTypes.branch(types)
                .orElseThrow(() ->
                        new ThetisException(ErrorCode.ANALYSIS, "branches of CASE have no type in common: " + types));
        return new CaseWhen(
                conditions,
                results.stream().map(result -> Coercion.to(result, type)).toList(),
                otherwise == null ? null : Coercion.to(otherwise, type),
                type);
    }

    private Expr cast(Expression.Cast cast) {
        Expr value = bind(cast.value());
        DataType type = TypeNames.resolveCast(cast.type());
        if (value.type().equals(type)) {
            return value;
        }
        return new Cast(value, type, true);
    }
}
