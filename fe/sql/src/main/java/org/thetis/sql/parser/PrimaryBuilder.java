// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.IntervalUnit;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.VariableScope;
import org.thetis.sql.ast.WhenClause;
import org.thetis.sql.grammar.ThetisParser;

/** Builds the operands of expressions: literals, names, calls, subqueries and what may follow them. */
final class PrimaryBuilder {
    /** Functions that are called without parentheses. */
    private static final Set<String> BARE_FUNCTIONS = Set.of(
            "current_date",
            "current_time",
            "current_timestamp",
            "current_user",
            "localtime",
            "localtimestamp",
            "session_user");

    private final TreeBuilders builders;
    private final ExpressionBuilder expressions;
    private final FunctionBuilder functions;

    PrimaryBuilder(TreeBuilders builders, ExpressionBuilder expressions) {
        this.builders = builders;
        this.expressions = expressions;
        this.functions = new FunctionBuilder(builders, expressions);
    }

    FunctionBuilder functions() {
        return functions;
    }

    /** Follows the chain of subscripts and fields down to its first operand and builds upwards from there. */
    Expression build(ThetisParser.PrimaryExpressionContext context) {
        List<ThetisParser.PrimaryExpressionContext> suffixes = new ArrayList<>();
        ThetisParser.PrimaryExpressionContext current = context;
        while (current.getChild(0) instanceof ThetisParser.PrimaryExpressionContext inner) {
            suffixes.add(current);
            current = inner;
        }
        int levels = suffixes.size() + 1;
        expressions.enter(levels, context);
        Expression result = first(current);
        Collections.reverse(suffixes);
        for (ThetisParser.PrimaryExpressionContext suffix : suffixes) {
            result = suffix(result, suffix);
        }
        expressions.leave(levels);
        return result;
    }

    private Expression suffix(Expression value, ThetisParser.PrimaryExpressionContext context) {
        SourcePosition position = value.position();
        if (context instanceof ThetisParser.SubscriptPrimaryContext subscript) {
            return new Expression.Subscript(position, value, expressions.value(subscript.valueExpression()));
        }
        if (context instanceof ThetisParser.SlicePrimaryContext slice) {
            return new Expression.Slice(
                    position,
                    value,
                    expressions.value(slice.begin),
                    slice.end == null ? null : expressions.value(slice.end));
        }
        if (context instanceof ThetisParser.FieldPrimaryContext field) {
            return field(value, field);
        }
        // COLLATE is accepted without effect: strings compare by bytes.
        return value;
    }

    private static Expression field(Expression value, ThetisParser.FieldPrimaryContext context) {
        String name = context.DOT_NAME() != null
                ? context.DOT_NAME().getText().substring(1)
                : Texts.name(context.identifier());
        if (value instanceof Expression.ColumnReference column) {
            List<String> parts = new ArrayList<>(column.parts());
            parts.add(name);
            return new Expression.ColumnReference(column.position(), parts);
        }
        return new Expression.FieldAccess(value.position(), value, name);
    }

    private Expression first(ThetisParser.PrimaryExpressionContext context) {
        SourcePosition position = position(context);
        if (context instanceof ThetisParser.ColumnPrimaryContext column) {
            return column(position, column.identifier());
        }
        if (context instanceof ThetisParser.ConstantPrimaryContext constant) {
            return constant(constant.constant());
        }
        if (context instanceof ThetisParser.IntroducedTextContext text) {
            return new Expression.StringLiteral(position, Texts.string(text.STRING_LITERAL(), builders.source()));
        }
        if (context instanceof ThetisParser.BytesPrimaryContext bytes) {
            return bytes(position, bytes);
        }
        if (context instanceof ThetisParser.ParenthesizedPrimaryContext parenthesized) {
            return expressions.build(parenthesized.expression());
        }
        if (context instanceof ThetisParser.FunctionPrimaryContext function) {
            return functions.call(function.functionCall());
        }
        if (context instanceof ThetisParser.CasePrimaryContext casePrimary) {
            return caseOf(position, casePrimary);
        }
        if (context instanceof ThetisParser.SubqueryPrimaryContext subquery) {
            return new Expression.ScalarSubquery(position, builders.queries().build(subquery.query()));
        }
        if (context instanceof ThetisParser.ExistsPrimaryContext exists) {
            return new Expression.Exists(position, builders.queries().build(exists.query()));
        }
        if (context instanceof ThetisParser.CastPrimaryContext cast) {
            return new Expression.Cast(
                    position,
                    expressions.build(cast.expression()),
                    builders.types().build(cast.dataType()),
                    cast.TRY_CAST() != null);
        }
        if (context instanceof ThetisParser.ConvertTypeContext convert) {
            return new Expression.Cast(
                    position,
                    expressions.build(convert.expression()),
                    builders.types().build(convert.dataType()),
                    false);
        }
        if (context instanceof ThetisParser.ParameterPrimaryContext) {
            return new Expression.Parameter(position, builders.source().parameterOrdinal(context.getStart()));
        }
        return literal(position, context);
    }

    private Expression literal(SourcePosition position, ThetisParser.PrimaryExpressionContext context) {
        if (context instanceof ThetisParser.TypedLiteralContext typed) {
            return new Expression.TypedLiteral(
                    position, Texts.upper(typed.kind), Texts.string(typed.STRING_LITERAL(), builders.source()));
        }
        if (context instanceof ThetisParser.IntervalPrimaryContext interval) {
            return new Expression.Interval(
                    position, expressions.value(interval.valueExpression()), unit(interval.intervalUnit()));
        }
        if (context instanceof ThetisParser.ArrayPrimaryContext array) {
            return new Expression.ArrayLiteral(position, expressions.items(array.listItem()));
        }
        if (context instanceof ThetisParser.MapPrimaryContext map) {
            return new Expression.MapLiteral(
                    position,
                    map.mapEntry().stream()
                            .map(entry -> expressions.build(entry.key))
                            .toList(),
                    map.mapEntry().stream()
                            .map(entry -> expressions.build(entry.value))
                            .toList());
        }
        if (context instanceof ThetisParser.StructPrimaryContext struct) {
            return new Expression.StructLiteral(position, expressions.build(struct.expression()));
        }
        if (context instanceof ThetisParser.RowPrimaryContext row) {
            return new Expression.StructLiteral(position, expressions.build(row.expression()));
        }
        if (context instanceof ThetisParser.SystemVariablePrimaryContext variable) {
            return systemVariable(position, variable);
        }
        if (context instanceof ThetisParser.UserVariableAssignmentContext assignment) {
            return new Expression.UserVariableAssignment(
                    position,
                    Texts.nameOrText(assignment.identifierOrText(), builders.source()),
                    expressions.build(assignment.expression()));
        }
        if (context instanceof ThetisParser.UserVariablePrimaryContext variable) {
            return new Expression.UserVariable(
                    position, Texts.nameOrText(variable.identifierOrText(), builders.source()));
        }
        if (context instanceof ThetisParser.EncryptKeyPrimaryContext key) {
            return new Expression.EncryptKey(position, new QualifiedName(position, Texts.names(key.identifier())));
        }
        return functions.special(position, context);
    }

    /** X'41' is the text of its bytes, b'101' the number. */
    private static Expression bytes(SourcePosition position, ThetisParser.BytesPrimaryContext context) {
        String text = context.getText();
        String digits = text.charAt(1) == '\'' ? text.substring(2, text.length() - 1) : text.substring(2);
        if (context.BIT_LITERAL() != null) {
            return new Expression.IntegerLiteral(
                    position, digits.isEmpty() ? BigInteger.ZERO : new BigInteger(digits, 2));
        }
        if (digits.length() % 2 != 0) {
            if (text.charAt(1) == '\'') {
                throw Texts.failure(context.getStart(), "a hexadecimal text needs an even number of digits");
            }
            digits = "0" + digits;
        }
        return FunctionBuilder.plain(position, "unhex", List.of(new Expression.StringLiteral(position, digits)));
    }

    private static Expression column(SourcePosition position, ThetisParser.IdentifierContext context) {
        String name = Texts.name(context);
        if (context.QUOTED_IDENTIFIER() == null && BARE_FUNCTIONS.contains(name.toLowerCase(Locale.ROOT))) {
            return FunctionBuilder.plain(position, name, List.of());
        }
        return new Expression.ColumnReference(position, List.of(name));
    }

    private Expression caseOf(SourcePosition position, ThetisParser.CasePrimaryContext context) {
        List<WhenClause> whens = context.whenClause().stream()
                .map(when -> new WhenClause(expressions.build(when.condition), expressions.build(when.result)))
                .toList();
        return new Expression.Case(
                position, expressions.optional(context.operand), whens, expressions.optional(context.otherwise));
    }

    private static Expression systemVariable(
            SourcePosition position, ThetisParser.SystemVariablePrimaryContext context) {
        List<String> names = Texts.names(context.identifier());
        if (names.size() == 1) {
            return new Expression.SystemVariable(position, VariableScope.DEFAULT, names.get(0));
        }
        VariableScope scope =
                switch (Texts.upper(names.get(0))) {
                    case "GLOBAL" -> VariableScope.GLOBAL;
                    case "SESSION", "LOCAL" -> VariableScope.SESSION;
                    default ->
                        throw Texts.failure(
                                context.identifier(0).getStart(), "a variable's scope is GLOBAL or SESSION");
                };
        return new Expression.SystemVariable(position, scope, names.get(1));
    }

    static IntervalUnit unit(ThetisParser.IntervalUnitContext context) {
        return IntervalUnit.valueOf(Texts.upper(context.getStart()));
    }

    Expression constant(ThetisParser.ConstantContext context) {
        Token token = ((TerminalNode) context.getChild(0)).getSymbol();
        return switch (token.getType()) {
            case ThetisParser.NULL -> new Expression.NullLiteral(position(token));
            case ThetisParser.TRUE -> new Expression.BooleanLiteral(position(token), true);
            case ThetisParser.FALSE -> new Expression.BooleanLiteral(position(token), false);
            case ThetisParser.STRING_LITERAL ->
                new Expression.StringLiteral(position(token), Texts.string(token, builders.source()));
            default -> number(token);
        };
    }

    Expression number(Token token) {
        SourcePosition position = position(token);
        if (Texts.isDecimal(token)) {
            return new Expression.DecimalLiteral(position, Texts.decimal(token), Texts.withoutSuffix(token.getText()));
        }
        return new Expression.IntegerLiteral(position, Texts.integer(token));
    }
}
