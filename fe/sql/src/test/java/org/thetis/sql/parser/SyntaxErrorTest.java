// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** Errors name line, column and token. */
class SyntaxErrorTest {
    private final SqlParser parser = new SqlParser();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            selec 1                      | line 1, column 1: unexpected 'selec'
            select * form t              | line 1, column 10: unexpected 'form'
            select                       | line 1, column 7: unexpected end of statement
            select a, from t             | line 1, column 11: unexpected 'from'
            select (1 + 2                | line 1, column 14: unexpected end of statement
            select 1 +                   | line 1, column 11: unexpected end of statement
            select a from t where        | line 1, column 22: unexpected end of statement
            select a from t limit x      | line 1, column 23: unexpected 'x'
            create table t (a)b          | line 1, column 19: unexpected 'b'
            create tabel t (a int)       | line 1, column 8: unexpected 'tabel'
            insert into t valuse (1)     | line 1, column 15: unexpected 'valuse'
            select 'abc                  | line 1, column 8: a string is not closed
            select `abc                  | line 1, column 8: a quoted name is not closed
            select /* abc                | line 1, column 14: a comment is not closed
            select # abc                 | line 1, column 8: unexpected character '#'
            select 0x1F from from        | line 1, column 18: unexpected 'from'
            drop table a.                | line 1, column 14: unexpected end of statement
            select * from a join on 1    | line 1, column 22: unexpected 'on'
            select case when 1 then 2    | line 1, column 26: unexpected end of statement
            show tables from             | line 1, column 17: unexpected end of statement
            select ``                    | line 1, column 8: a quoted name is empty
            select @@foo.bar             | line 1, column 10: a variable's scope is GLOBAL or SESSION
            select 1 select 2            | line 1, column 10: unexpected 'select'
            """)
    void namesThePlace(String sql, String expected) {
        ThetisException error = failure(sql);
        assertThat(error.text()).startsWith("Syntax error at " + expected);
        assertThat(error.code()).isEqualTo(ErrorCode.SYNTAX_ERROR);
        assertThat(error.position()).isPresent();
    }

    @Test
    void countsLinesAndColumns() {
        ThetisException error = failure("select a,\n  b\nfrom t\n   wher a = 1 = = 2");
        assertThat(error.text()).startsWith("Syntax error at line 4, column 9: unexpected 'a'");
        assertThat(error.position().orElseThrow().line()).isEqualTo(4);
        assertThat(error.position().orElseThrow().column()).isEqualTo(8);
    }

    @Test
    void saysWhatWasExpected() {
        assertThat(failure("select * form t").text()).contains("expected").contains("FROM");
        assertThat(failure("create table t (a int) distributed hash(a)").text()).endsWith("expected BY");
        assertThat(failure("use").text()).endsWith("expected a name");
        assertThat(failure("show proc x").text()).endsWith("expected a string");
    }

    @Test
    void cutsLongTokens() {
        assertThat(failure("select 1 " + "x".repeat(10) + " " + "y".repeat(500)).text())
                .hasSizeLessThan(400);
    }

    @Test
    void anErrorInALaterStatementKeepsItsPlace() {
        ThetisException error = catchThrowableOfType(
                ThetisException.class, () -> parser.parseAll("select 1;\nselect from t", ParserOptions.DEFAULT));
        assertThat(error.text()).startsWith("Syntax error at line 2, column 8: unexpected 'from'");
    }

    private ThetisException failure(String sql) {
        return catchThrowableOfType(ThetisException.class, () -> parser.parse(sql));
    }
}
