// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.dml.Insert;

/** Hostile and huge texts: an answer in bounded time and stack, never a crash. */
class LimitsTest {
    private static final Duration PLENTY = Duration.ofSeconds(30);

    private final SqlParser parser = new SqlParser();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            select       | (                  | 1   | )
            select       | (1 +               | 1   | )
            select       | [                  | 1   | ]
            select       | f(                 | 1   | )
            select       | - -                | 1   |
            select       | not                | 1   |
            select       | case when a then   | 1   | end
            select       | (select            | 1   | )
            select * from | (select * from    | t   | ) a
            select * from | (                 | t   | )
            select       | exists (select     | 1   | )
            select       | a in (             | 1   | )
            select       | f(x ->             | 1   | )
            select       | interval           | 1   | day
            select cast(a as | array<         | int | >
            select a     | + 1                | + 1 |
            select a     | = a                | = a |
            select a     | [1]                | [1] |
            select a     | .a                 | .a  |
            select 1     | except select 1    | except select 1 |
            select * from t | join t on a = b | where a = 1 |
            select a between | a between      | 1   |
            explain      | explain            | select 1 |
            """)
    void depthBombsAreRefusedWithoutOverflow(String start, String open, String middle, String close) {
        String closing = close == null ? "" : close;
        for (int depth : new int[] {100_000, 2_000}) {
            String sql = start + " " + (open + " ").repeat(depth) + middle + " " + (closing + " ").repeat(depth);
            Assertions.assertTimeout(PLENTY, () -> assertThat(outcome(sql)).startsWith("Syntax error"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            select       | (            | 1 | )          | 390
            select       | f(           | 1 | )          | 390
            select       | (select      | 1 | )          | 100
            select * from | (select * from | t | ) a     | 100
            select a     | + 1          | + 1 |          | 1000
            select a     | and a = 1    | or b |         | 20000
            select 1     | union all select 1 | union all select 1 | | 5000
            select * from t | join t on a = b | where a = 1 | | 500
            """)
    void generousNestingWorks(String start, String open, String middle, String close, int depth) {
        String closing = close == null ? "" : close;
        String sql = start + " " + (open + " ").repeat(depth) + middle + " " + (closing + " ").repeat(depth);
        assertThat(outcome(sql)).isEqualTo("1");
    }

    @Test
    void garbageIsRefused() {
        Random random = new Random(42);
        List<String> texts = new ArrayList<>();
        StringBuilder characters = new StringBuilder();
        for (int index = 0; index < 1 << 20; index++) {
            characters.append((char) (32 + random.nextInt(200)));
        }
        texts.add(characters.toString());
        texts.add("'".repeat(1_000_001));
        texts.add("\\'".repeat(500_000));
        texts.add("select '" + "\\'".repeat(500_000));
        texts.add("/*".repeat(500_000));
        texts.add("(".repeat(1_000_000));
        texts.add("select " + "1".repeat(1_000_000));
        texts.add("select 1e99999999999");
        texts.add("\0".repeat(1_000_000));
        String[] words = {
            "select", "from", "(", ")", "a", ",", "1", "'x'", "where", "and", "join", "on", "=", "case", "end"
        };
        StringBuilder soup = new StringBuilder("select a ");
        while (soup.length() < 1 << 20) {
            soup.append(words[random.nextInt(words.length)]).append(' ');
        }
        texts.add(soup.toString());
        for (String text : texts) {
            Assertions.assertTimeout(PLENTY, () -> assertThat(outcome(text)).startsWith("Syntax error"));
        }
    }

    @Test
    void tenThousandRowsOfValues() {
        StringBuilder sql = new StringBuilder("insert into t values (0, 'a', 1.5, -1, null)");
        for (int row = 1; row < 10_000; row++) {
            sql.append(", (").append(row).append(", 'a''b', 1.5, -1, now())");
        }
        Insert insert = (Insert) parser.parse(sql.toString());
        assertThat(((QueryBody.Values) insert.source().body()).rows()).hasSize(10_000);
    }

    @Test
    void longListsWork() {
        assertThat(outcome("select a in (1" + ", 1".repeat(100_000) + ")")).isEqualTo("1");
        assertThat(outcome("select a" + ", a".repeat(50_000))).isEqualTo("1");
        assertThat(outcome("select 1;".repeat(10_000))).isEqualTo("10000");
        assertThat(outcome("/*".repeat(100_000) + "*/".repeat(100_000) + "select 1"))
                .isEqualTo("1");
    }

    private String outcome(String sql) {
        try {
            return String.valueOf(parser.parseAll(sql, ParserOptions.DEFAULT).size());
        } catch (ThetisException e) {
            return e.text();
        }
    }
}
