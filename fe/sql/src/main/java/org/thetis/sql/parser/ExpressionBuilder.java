// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.ArithmeticOperator;
import org.thetis.sql.ast.ComparisonOperator;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.LogicalOperator;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.SortItem;
import org.thetis.sql.ast.UnaryOperator;
import org.thetis.sql.grammar.ThetisParser;

/**
 * Builds conditions, predicates and arithmetic; primaries are built by PrimaryBuilder. Chains of operators, which the
 * parser nests to the left, are walked in loops, and the depth of the tree is limited.
 */
final class ExpressionBuilder {
    /** Deeper trees would endanger the stack of whatever walks them. */
    static final int MAX_TREE_DEPTH = 1500;

    private final PrimaryBuilder primaries;
    private final TreeBuilders builders;
    private int depth;

    ExpressionBuilder(TreeBuilders builders) {
        this.builders = builders;
        this.primaries = new PrimaryBuilder(builders, this);
    }

    PrimaryBuilder primaries() {
        return primaries;
    }

    List<Expression> build(List<ThetisParser.ExpressionContext> contexts) {
        return contexts.stream().map(this::build).toList();
    }

    @Nullable
    Expression optional(ThetisParser.@Nullable ExpressionContext context) {
        return context == null ? null : build(context);
    }

    Expression build(ThetisParser.ExpressionContext context) {
        if (context instanceof ThetisParser.PredicatedContext predicated) {
            return predicated(predicated);
        }
        enter(1, context);
        Expression result;
        if (context instanceof ThetisParser.LogicalNotContext not) {
            result = new Expression.Not(position(not), build(not.expression()));
        } else {
            result = logical(context);
        }
        depth--;
        return result;
    }

    /** Adds to the depth of the tree under construction; the caller takes it back. */
    void enter(int levels, ParserRuleContext context) {
        depth += levels;
        if (depth > MAX_TREE_DEPTH) {
            throw Texts.failure(context.getStart(), "the expression is nested too deeply");
        }
    }

    void leave(int levels) {
        depth -= levels;
    }

    /** Folds a chain of one connective into one node. */
    private Expression logical(ThetisParser.ExpressionContext context) {
        LogicalOperator operator = operator(context);
        Deque<Expression> operands = new ArrayDeque<>();
        ThetisParser.ExpressionContext current = context;
        Token token = (Token) current.getChild(1).getPayload();
        List<ThetisParser.ExpressionContext> rights = new ArrayList<>();
        while (current.getClass() == context.getClass()) {
            token = (Token) current.getChild(1).getPayload();
            rights.add((ThetisParser.ExpressionContext) current.getChild(2));
            current = (ThetisParser.ExpressionContext) current.getChild(0);
        }
        operands.add(build(current));
        Collections.reverse(rights);
        rights.forEach(right -> operands.add(build(right)));
        return new Expression.Logical(position(token), operator, List.copyOf(operands));
    }

    private static LogicalOperator operator(ThetisParser.ExpressionContext context) {
        if (context instanceof ThetisParser.LogicalAndContext) {
            return LogicalOperator.AND;
        }
        return context instanceof ThetisParser.LogicalXorContext ? LogicalOperator.XOR : LogicalOperator.OR;
    }

    private Expression predicated(ThetisParser.PredicatedContext context) {
        int levels = context.predicate().size();
        enter(levels, context);
        Expression value = value(context.valueExpression());
        leave(levels);
        for (ThetisParser.PredicateContext predicate : context.predicate()) {
            value = predicate(value, predicate);
        }
        return value;
    }

    private Expression predicate(Expression value, ThetisParser.PredicateContext context) {
        SourcePosition position = position(context);
        if (context instanceof ThetisParser.QuantifiedPredicateContext quantified) {
            return quantified(value, quantified);
        }
        if (context instanceof ThetisParser.ComparisonPredicateContext comparison) {
            return new Expression.Comparison(
                    position, operator(comparison.comparisonOperator()), value, value(comparison.valueExpression()));
        }
        if (context instanceof ThetisParser.BetweenPredicateContext between) {
            return new Expression.Between(
                    position, between.NOT() != null, value, value(between.low), value(between.high));
        }
        if (context instanceof ThetisParser.LikePredicateContext like) {
            return new Expression.Like(
                    position,
                    like.NOT() != null,
                    like.LIKE() == null,
                    value,
                    value(like.pattern),
                    like.escape == null ? null : value(like.escape));
        }
        if (context instanceof ThetisParser.InListPredicateContext in) {
            return new Expression.InList(position, in.NOT() != null, value, items(in.listItem()));
        }
        if (context instanceof ThetisParser.InQueryPredicateContext in) {
            return new Expression.InSubquery(
                    position, in.NOT() != null, value, builders.queries().build(in.query()));
        }
        if (context instanceof ThetisParser.NullPredicateContext isNull) {
            return new Expression.IsNull(position, isNull.NOT() != null, value);
        }
        if (context instanceof ThetisParser.DistinctPredicateContext distinct) {
            Expression same = new Expression.Comparison(
                    position, ComparisonOperator.NULL_SAFE_EQUAL, value, value(distinct.valueExpression()));
            return distinct.NOT() != null ? same : new Expression.Not(position, same);
        }
        if (context instanceof ThetisParser.TruthPredicateContext truth) {
            return new Expression.IsTruth(position, truth.NOT() != null, value, truth.TRUE() != null);
        }
        ThetisParser.MatchPredicateContext match = (ThetisParser.MatchPredicateContext) context;
        return new Expression.Match(
                position,
                match.NOT() != null,
                Texts.upper(match.matchOperator().getText()),
                value,
                value(match.valueExpression()));
    }

    /** = ANY is IN and <> ALL is NOT IN; the others stay as they are. */
    private Expression quantified(Expression value, ThetisParser.QuantifiedPredicateContext context) {
        SourcePosition position = position(context);
        ComparisonOperator operator = operator(context.comparisonOperator());
        boolean all = context.ALL() != null;
        Query query = builders.queries().build(context.query());
        if (operator == ComparisonOperator.EQUAL && !all || operator == ComparisonOperator.NOT_EQUAL && all) {
            return new Expression.InSubquery(position, all, value, query);
        }
        return new Expression.Quantified(position, operator, all, value, query);
    }

    private static ComparisonOperator operator(ThetisParser.ComparisonOperatorContext context) {
        return switch (context.getStart().getType()) {
            case ThetisParser.EQUAL -> ComparisonOperator.EQUAL;
            case ThetisParser.NULL_SAFE_EQUAL -> ComparisonOperator.NULL_SAFE_EQUAL;
            case ThetisParser.NOT_EQUAL -> ComparisonOperator.NOT_EQUAL;
            case ThetisParser.LESS -> ComparisonOperator.LESS;
            case ThetisParser.LESS_OR_EQUAL -> ComparisonOperator.LESS_OR_EQUAL;
            case ThetisParser.GREATER -> ComparisonOperator.GREATER;
            default -> ComparisonOperator.GREATER_OR_EQUAL;
        };
    }

    /** Values of a list: VALUES rows, IN lists, array literals and assignments. */
    List<Expression> items(List<ThetisParser.ListItemContext> contexts) {
        List<Expression> items = new ArrayList<>(contexts.size());
        for (ThetisParser.ListItemContext context : contexts) {
            items.add(item(context));
        }
        return items;
    }

    Expression item(ThetisParser.ListItemContext context) {
        if (context instanceof ThetisParser.ConstantItemContext constant) {
            return primaries.constant(constant.constant());
        }
        if (context instanceof ThetisParser.SignedItemContext signed) {
            Token number = signed.getStop();
            return new Expression.Unary(
                    position(signed),
                    signed.MINUS() != null ? UnaryOperator.NEGATE : UnaryOperator.PLUS,
                    primaries.number(number));
        }
        if (context instanceof ThetisParser.DefaultItemContext) {
            return new Expression.DefaultMarker(position(context));
        }
        return build(((ThetisParser.ExpressionItemContext) context).expression());
    }

    Expression value(ThetisParser.ValueExpressionContext context) {
        if (context instanceof ThetisParser.PrimaryValueContext primary) {
            return primaries.build(primary.primaryExpression());
        }
        if (context instanceof ThetisParser.BinaryStringValueContext bytes) {
            // Strings compare by bytes anyway.
            enter(1, context);
            Expression operand = value(bytes.valueExpression());
            leave(1);
            return operand;
        }
        if (context instanceof ThetisParser.UnaryValueContext unary) {
            enter(1, context);
            Expression operand = value(unary.valueExpression());
            leave(1);
            return new Expression.Unary(position(unary), operator(unary), operand);
        }
        return binary(context);
    }

    private static UnaryOperator operator(ThetisParser.UnaryValueContext context) {
        if (context.MINUS() != null) {
            return UnaryOperator.NEGATE;
        }
        return context.PLUS() != null ? UnaryOperator.PLUS : UnaryOperator.BIT_NOT;
    }

    /** Builds a chain of binary operators from its leftmost operand on. */
    private Expression binary(ThetisParser.ValueExpressionContext context) {
        List<ThetisParser.ValueExpressionContext> chain = new ArrayList<>();
        ThetisParser.ValueExpressionContext current = context;
        while (!(current instanceof ThetisParser.PrimaryValueContext)
                && !(current instanceof ThetisParser.UnaryValueContext)
                && !(current instanceof ThetisParser.BinaryStringValueContext)) {
            chain.add(current);
            current = (ThetisParser.ValueExpressionContext) current.getChild(0);
        }
        enter(chain.size(), context);
        Expression result = value(current);
        Collections.reverse(chain);
        for (ThetisParser.ValueExpressionContext step : chain) {
            Token operator = ((TerminalNode) step.getChild(1)).getSymbol();
            Expression right = value((ThetisParser.ValueExpressionContext) step.getChild(step.getChildCount() - 1));
            result = combine(operator, result, right);
        }
        leave(chain.size());
        return result;
    }

    private static Expression combine(Token operator, Expression left, Expression right) {
        if (operator.getType() == ThetisParser.CONCAT_PIPE) {
            return new Expression.FunctionCall(
                    position(operator), List.of("concat"), false, List.of(left, right), List.of(), null, null);
        }
        if (operator.getType() == ThetisParser.LESS || operator.getType() == ThetisParser.GREATER) {
            String shift = operator.getType() == ThetisParser.LESS ? "bit_shift_left" : "bit_shift_right";
            return FunctionBuilder.plain(position(operator), shift, List.of(left, right));
        }
        return new Expression.Arithmetic(position(operator), arithmetic(operator), left, right);
    }

    private static ArithmeticOperator arithmetic(Token operator) {
        return switch (operator.getType()) {
            case ThetisParser.PLUS -> ArithmeticOperator.ADD;
            case ThetisParser.MINUS -> ArithmeticOperator.SUBTRACT;
            case ThetisParser.STAR -> ArithmeticOperator.MULTIPLY;
            case ThetisParser.SLASH -> ArithmeticOperator.DIVIDE;
            case ThetisParser.DIV -> ArithmeticOperator.INTEGER_DIVIDE;
            case ThetisParser.PERCENT, ThetisParser.MOD -> ArithmeticOperator.MODULO;
            case ThetisParser.AMPERSAND -> ArithmeticOperator.BIT_AND;
            case ThetisParser.PIPE -> ArithmeticOperator.BIT_OR;
            default -> ArithmeticOperator.BIT_XOR;
        };
    }

    List<SortItem> sortItems(List<ThetisParser.SortItemContext> contexts) {
        return contexts.stream().map(this::sortItem).toList();
    }

    private SortItem sortItem(ThetisParser.SortItemContext context) {
        Boolean nullsFirst = context.NULLS() == null ? null : context.FIRST() != null;
        return new SortItem(build(context.expression()), context.DESC() == null, nullsFirst);
    }
}
