// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.thetis.base.error.ThetisException;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.sql.parser.ParserOptions;
import org.thetis.sql.parser.SqlParser;

/** Which trees are remembered, and that they are those the parser makes. */
class ParsedQueriesTest {
    private static final ParserOptions CONCAT = new ParserOptions(true, false);

    private final SqlParser parser = new SqlParser();
    private final ParsedQueries queries = new ParsedQueries(parser, new MetricRegistry());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "  \n select a, 'x' || b from t where k = 5 -- end",
                "WITH x AS (SELECT 1 AS a) SELECT * FROM x;",
                "(SELECT 1) UNION ALL (SELECT 2)",
                "/* trace */ SELECT * FROM t LIMIT 3"
            })
    void aQueryIsParsedOnce(String sql) {
        var first = queries.parse(sql, ParserOptions.DEFAULT);
        assertThat(first).isEqualTo(parser.parseAll(sql, ParserOptions.DEFAULT));
        assertThat(queries.parse(new String(sql.toCharArray()), ParserOptions.DEFAULT)
                        .get(0)
                        .statement())
                .isSameAs(first.get(0).statement());
    }

    @Test
    void optionsMakeOtherTrees() {
        String sql = "SELECT 'a' || 'b'";
        var logical = queries.parse(sql, ParserOptions.DEFAULT);
        var concat = queries.parse(sql, CONCAT);
        assertThat(concat).isEqualTo(parser.parseAll(sql, CONCAT)).isNotEqualTo(logical);
        assertThat(queries.parse(sql, ParserOptions.DEFAULT)).isEqualTo(logical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM t WHERE k = ?",
                "SELECT 1; SELECT 2",
                "SHOW TABLES",
                "INSERT INTO t VALUES (1)",
                "SET x = 1",
                ""
            })
    void othersAreParsedEachTime(String sql) {
        var first = queries.parse(sql, ParserOptions.DEFAULT);
        var second = queries.parse(sql, ParserOptions.DEFAULT);
        assertThat(second).isEqualTo(first);
        for (int i = 0; i < first.size(); i++) {
            assertThat(second.get(i).statement()).isNotSameAs(first.get(i).statement());
        }
    }

    @Test
    void errorsComeEachTime() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> queries.parse("SELECT FROM WHERE", ParserOptions.DEFAULT))
                    .isInstanceOf(ThetisException.class);
        }
    }

    @Test
    void longTextsAreNotKept() {
        String sql = "SELECT '" + "x".repeat(20_000) + "'";
        var first = queries.parse(sql, ParserOptions.DEFAULT);
        assertThat(queries.parse(sql, ParserOptions.DEFAULT).get(0).statement())
                .isNotSameAs(first.get(0).statement());
    }
}
