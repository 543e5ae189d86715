// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.SourcePosition;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.ast.ArithmeticOperator;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.FrameBound;
import org.thetis.sql.ast.IntervalUnit;
import org.thetis.sql.ast.TypeName;
import org.thetis.sql.ast.WhenClause;
import org.thetis.sql.ast.WindowFrame;
import org.thetis.sql.ast.WindowSpecification;
import org.thetis.sql.grammar.ThetisParser;

/** Builds function calls, among them those with a syntax of their own, such as EXTRACT(YEAR FROM d). */
final class FunctionBuilder {
    private static final ImmutableSet<String> UNICODE =
            ImmutableSet.of("UTF8", "UTF8MB3", "UTF8MB4", "BINARY", "ASCII");
    private static final ImmutableList<String> FIELDS =
            ImmutableList.of("year", "month", "day", "hour", "minute", "second", "microsecond");

    /** Aggregates for which a NULL is as good as no row. */
    private static final ImmutableSet<String> FILTERED = ImmutableSet.of(
            "approx_count_distinct",
            "avg",
            "count",
            "group_concat",
            "max",
            "min",
            "stddev",
            "stddev_samp",
            "sum",
            "var_samp",
            "variance");

    private final TreeBuilders builders;
    private final ExpressionBuilder expressions;

    FunctionBuilder(TreeBuilders builders, ExpressionBuilder expressions) {
        this.builders = builders;
        this.expressions = expressions;
    }

    /** A call without any of the extras. */
    static Expression.FunctionCall plain(SourcePosition position, String name, List<Expression> arguments) {
        return new Expression.FunctionCall(position, List.of(name), false, arguments, List.of(), null, null);
    }

    Expression call(ThetisParser.FunctionCallContext context) {
        Expression.FunctionCall call = functionCall(context);
        return call.arguments().size() == 3 && call.name().size() == 1
                ? withUnit(call).orElse(call)
                : call;
    }

    /** The call as written; LATERAL VIEW needs it in this form. */
    Expression.FunctionCall functionCall(ThetisParser.FunctionCallContext context) {
        List<Expression> arguments = new ArrayList<>();
        for (ThetisParser.FunctionArgumentContext argument : context.functionArgument()) {
            arguments.add(argument(argument));
        }
        if (context.SEPARATOR() != null) {
            arguments.add(new Expression.StringLiteral(
                    position(context.STRING_LITERAL().getSymbol()),
                    Texts.string(context.STRING_LITERAL(), builders.source())));
        }
        if (context.filter != null) {
            keepOnly(context, arguments);
        }
        Boolean ignoreNulls = context.NULLS() == null ? null : context.IGNORE() != null;
        return new Expression.FunctionCall(
                position(context),
                name(context.functionName()),
                context.DISTINCT() != null,
                arguments,
                expressions.sortItems(context.sortItem()),
                ignoreNulls,
                over(context));
    }

    /** FILTER (WHERE c) of an aggregate that passes over NULLs: what c is not true for becomes NULL. */
    private void keepOnly(ThetisParser.FunctionCallContext context, List<Expression> arguments) {
        List<String> name = name(context.functionName());
        if (!FILTERED.contains(name.get(name.size() - 1).toLowerCase(Locale.ROOT)) || arguments.isEmpty()) {
            throw new ThetisException(
                    ErrorCode.NOT_SUPPORTED,
                    "FILTER (WHERE ...) is not supported for " + String.join(".", name) + ", only for "
                            + String.join(", ", FILTERED),
                    position(context));
        }
        Expression first = arguments.get(0);
        Expression kept = first instanceof Expression.Star
                ? new Expression.IntegerLiteral(first.position(), BigInteger.ONE)
                : first;
        Expression condition = expressions.build(context.filter);
        arguments.set(0, new Expression.Case(position(context), null, List.of(new WhenClause(condition, kept)), null));
    }

    static List<String> name(ThetisParser.FunctionNameContext context) {
        List<String> name = new ArrayList<>(Texts.names(context.identifier()));
        int needed = context.DOT() == null ? 1 : 2;
        if (name.size() < needed) {
            name.add(context.getStop().getText());
        }
        return name;
    }

    private Expression argument(ThetisParser.FunctionArgumentContext context) {
        if (context instanceof ThetisParser.StarArgumentContext) {
            return new Expression.Star(position(context), List.of());
        }
        if (context instanceof ThetisParser.LambdaArgumentContext lambda) {
            expressions.enter(1, context);
            Expression body = expressions.build(lambda.expression());
            expressions.leave(1);
            return new Expression.Lambda(position(context), Texts.names(lambda.identifier()), body);
        }
        return expressions.build(((ThetisParser.ExpressionArgumentContext) context).expression());
    }

    /**
     * Rewrites the forms of MySQL that take a unit first: TIMESTAMPADD(unit, n, t) becomes date_add(t, INTERVAL n
     * unit) and TIMESTAMPDIFF(unit, a, b) becomes for example days_diff(b, a).
     */
    private static Optional<Expression> withUnit(Expression.FunctionCall call) {
        if (!(call.arguments().get(0) instanceof Expression.ColumnReference unitName)
                || unitName.parts().size() != 1) {
            return Optional.empty();
        }
        IntervalUnit unit;
        try {
            unit = IntervalUnit.valueOf(Texts.upper(unitName.parts().get(0)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        Expression second = call.arguments().get(1);
        Expression third = call.arguments().get(2);
        String name = call.name().get(0).toLowerCase(Locale.ROOT);
        return switch (name) {
            case "timestampadd", "dateadd", "date_add" -> {
                Expression interval = new Expression.Interval(second.position(), second, unit);
                yield Optional.of(plain(call.position(), "date_add", List.of(third, interval)));
            }
            case "timestampdiff", "datediff", "date_diff" -> {
                String difference = unit.name().toLowerCase(Locale.ROOT) + "s_diff";
                yield Optional.of(plain(call.position(), difference, List.of(third, second)));
            }
            default -> Optional.empty();
        };
    }

    /** The calls with a syntax of their own. */
    Expression special(SourcePosition position, ThetisParser.PrimaryExpressionContext context) {
        if (context instanceof ThetisParser.ExtractPrimaryContext extract) {
            String unit = Texts.name(extract.identifier()).toLowerCase(Locale.ROOT);
            return extract(position, unit, expressions.value(extract.valueExpression()));
        }
        if (context instanceof ThetisParser.TrimPrimaryContext trim) {
            return trim(position, trim);
        }
        if (context instanceof ThetisParser.SubstringPrimaryContext substring) {
            List<Expression> arguments = new ArrayList<>();
            arguments.add(expressions.build(substring.source));
            arguments.add(expressions.build(substring.start));
            if (substring.count != null) {
                arguments.add(expressions.build(substring.count));
            }
            return plain(position, "substring", arguments);
        }
        if (context instanceof ThetisParser.PositionPrimaryContext find) {
            return plain(position, "locate", List.of(expressions.value(find.needle), expressions.value(find.source)));
        }
        ThetisParser.ConvertCharsetContext convert = (ThetisParser.ConvertCharsetContext) context;
        String charset = Texts.upper(Texts.nameOrText(convert.identifierOrText(), builders.source()));
        if (!UNICODE.contains(charset)) {
            Expression name = new Expression.StringLiteral(
                    position(convert.identifierOrText()),
                    Texts.nameOrText(convert.identifierOrText(), builders.source()));
            return plain(position, "convert_to", List.of(expressions.build(convert.expression()), name));
        }
        return new Expression.Cast(
                position,
                expressions.build(convert.expression()),
                new TypeName(position, "STRING", List.of(), List.of(), List.of(), List.of()),
                false);
    }

    /** A unit such as DAY_SECOND reads as one number: its fields side by side, two digits each and six for microseconds. */
    private static Expression extract(SourcePosition position, String unit, Expression value) {
        int split = unit.indexOf('_');
        if (split < 0) {
            return plain(position, unit, List.of(value));
        }
        int first = FIELDS.indexOf(unit.substring(0, split));
        int last = FIELDS.indexOf(unit.substring(split + 1));
        if (first < 0 || last < first) {
            return plain(position, unit, List.of(value));
        }
        Expression result = plain(position, FIELDS.get(first), List.of(value));
        for (String field : FIELDS.subList(first + 1, last + 1)) {
            long shift = field.equals("microsecond") ? 1_000_000 : 100;
            Expression factor = new Expression.IntegerLiteral(position, BigInteger.valueOf(shift));
            result = new Expression.Arithmetic(position, ArithmeticOperator.MULTIPLY, result, factor);
            result = new Expression.Arithmetic(
                    position, ArithmeticOperator.ADD, result, plain(position, field, List.of(value)));
        }
        return result;
    }

    private Expression trim(SourcePosition position, ThetisParser.TrimPrimaryContext context) {
        String name = "trim";
        if (context.side != null && context.side.getType() == ThetisParser.LEADING) {
            name = "ltrim";
        } else if (context.side != null && context.side.getType() == ThetisParser.TRAILING) {
            name = "rtrim";
        }
        List<Expression> arguments = new ArrayList<>();
        arguments.add(expressions.build(context.source));
        if (context.what != null) {
            arguments.add(expressions.build(context.what));
        }
        return plain(position, name, arguments);
    }

    private @Nullable WindowSpecification over(ThetisParser.FunctionCallContext context) {
        if (context.OVER() == null) {
            return null;
        }
        return context.windowSpecification() == null
                ? builders.windows().find(context.identifier())
                : window(context.windowSpecification());
    }

    WindowSpecification window(ThetisParser.WindowSpecificationContext context) {
        if (context.base != null) {
            return builders.windows()
                    .extend(
                            context.base,
                            !context.expression().isEmpty(),
                            expressions.sortItems(context.sortItem()),
                            frame(context.windowFrame()));
        }
        return new WindowSpecification(
                expressions.build(context.expression()),
                expressions.sortItems(context.sortItem()),
                frame(context.windowFrame()));
    }

    private @Nullable WindowFrame frame(ThetisParser.@Nullable WindowFrameContext context) {
        if (context == null) {
            return null;
        }
        FrameBound end = context.end == null ? new FrameBound.CurrentRow() : bound(context.end);
        return new WindowFrame(context.ROWS() != null, bound(context.start), end);
    }

    private FrameBound bound(ThetisParser.FrameBoundContext context) {
        if (context instanceof ThetisParser.UnboundedBoundContext unbounded) {
            return unbounded.PRECEDING() != null
                    ? new FrameBound.UnboundedPreceding()
                    : new FrameBound.UnboundedFollowing();
        }
        if (context instanceof ThetisParser.DistanceBoundContext distance) {
            Expression rows = expressions.value(distance.valueExpression());
            return distance.PRECEDING() != null ? new FrameBound.Preceding(rows) : new FrameBound.Following(rows);
        }
        return new FrameBound.CurrentRow();
    }
}
