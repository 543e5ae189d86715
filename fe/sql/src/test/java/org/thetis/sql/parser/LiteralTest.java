// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.IntervalUnit;
import org.thetis.sql.ast.UnaryOperator;

/** Literals keep their values. */
class LiteralTest {
    private static final ParserOptions NO_ESCAPES = new ParserOptions(false, true);

    private final SqlParser parser = new SqlParser();

    @Test
    void stringEscapes() {
        assertThat(string("'it''s'")).isEqualTo("it's");
        assertThat(string("\"a\"\"b'c\"")).isEqualTo("a\"b'c");
        assertThat(string("'a\\'b\\\\c'")).isEqualTo("a'b\\c");
        assertThat(string("'\\n\\t\\r\\b\\0\\Z'")).isEqualTo("\n\t\r\b\0\032");
        assertThat(string("'50\\% \\_x'")).isEqualTo("50\\% \\_x");
        assertThat(string("'\\q'")).isEqualTo("q");
        assertThat(string("R'\\d\\'")).isEqualTo("\\d\\");
        assertThat(string("r\"\\d'\"")).isEqualTo("\\d'");
        assertThat(string("''")).isEmpty();
        assertThat(string("''''")).isEqualTo("'");
        assertThat(string("'\u4e2d\u6587 \ud83d\ude00'")).isEqualTo("\u4e2d\u6587 \ud83d\ude00");
        assertThat(string("'a\nb'")).isEqualTo("a\nb");
    }

    @Test
    void backslashesStayWithoutEscapes() {
        assertThat(string("'a\\'", NO_ESCAPES)).isEqualTo("a\\");
        assertThat(string("'a\\n''b\\%'", NO_ESCAPES)).isEqualTo("a\\n'b\\%");
        assertThat(string("\"\\\"", NO_ESCAPES)).isEqualTo("\\");
    }

    @Test
    void numbers() {
        assertThat(integer("0")).isEqualTo("0");
        assertThat(integer("170141183460469231731687303715884105728"))
                .isEqualTo("170141183460469231731687303715884105728");
        assertThat(decimal("1.50")).isEqualTo("1.50");
        assertThat(decimal(".5")).isEqualTo("0.5");
        assertThat(decimal("1.")).isEqualTo("1");
        assertThat(decimal("1e3")).isEqualTo("1E+3");
        assertThat(decimal("2.5E-3")).isEqualTo("0.0025");
        assertThat(decimal("7BD")).isEqualTo("7");
    }

    @Test
    void signsAreOperators() {
        Expression.Unary negative = (Expression.Unary) parser.parseExpression("-5");
        assertThat(negative.operator()).isEqualTo(UnaryOperator.NEGATE);
        assertThat(((Expression.IntegerLiteral) negative.operand()).value()).isEqualTo(BigInteger.valueOf(5));
    }

    @Test
    void typedLiteralsAndIntervals() {
        Expression.TypedLiteral date = (Expression.TypedLiteral) parser.parseExpression("date '2020-01-01'");
        assertThat(date.type()).isEqualTo("DATE");
        assertThat(date.text()).isEqualTo("2020-01-01");
        Expression.Interval interval = (Expression.Interval) parser.parseExpression("interval '3' month");
        assertThat(interval.unit()).isEqualTo(IntervalUnit.MONTH);
        assertThat(parser.parseExpression("null")).isInstanceOf(Expression.NullLiteral.class);
        assertThat(((Expression.BooleanLiteral) parser.parseExpression("TRUE")).value())
                .isTrue();
    }

    private String string(String literal) {
        return string(literal, ParserOptions.DEFAULT);
    }

    private String string(String literal, ParserOptions options) {
        return ((Expression.StringLiteral) parser.parseExpression(literal, options)).value();
    }

    private String integer(String literal) {
        return ((Expression.IntegerLiteral) parser.parseExpression(literal))
                .value()
                .toString();
    }

    private String decimal(String literal) {
        BigDecimal value = ((Expression.DecimalLiteral) parser.parseExpression(literal)).value();
        return value.toString();
    }
}
