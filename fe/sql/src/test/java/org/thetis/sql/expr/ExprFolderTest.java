// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.lower.TestCluster;

/** What the front end computes over constants, and what it leaves to back ends. */
class ExprFolderTest {
    private static final TestCluster CLUSTER = new TestCluster(1);

    private static Optional<String> value(String expression) {
        return CLUSTER.plan("SELECT " + expression)
                .constantRows()
                .map(rows -> rows.get(0).get(0).sql());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "1 + 1 | 2",
                "2 * 3.5 | 7.0",
                "7 DIV 2 | 3",
                "-7 % 3 | -1",
                "1 / 0 | NULL",
                "1 / 4 | 0.25",
                "1 = 1.0 | TRUE",
                "'a' < 'B' | FALSE",
                "NULL = 1 | NULL",
                "NULL <=> NULL | TRUE",
                "1 IN (2, NULL) | NULL",
                "NOT (1 > 2 OR FALSE) | TRUE",
                "DATE '1998-12-01' - INTERVAL 90 DAY | '1998-09-02'",
                "DATE '2010-11-30' + INTERVAL 3 MONTH | '2011-02-28'",
                "DATE '2020-01-01' + INTERVAL 1 HOUR | '2020-01-01 01:00:00'",
                "CAST('12.7' AS INT) | 12",
                "CAST('-280.00005' AS DECIMAL(10,4)) | -280.0001",
                "CAST('20190101' AS CHAR(2)) | '20'",
                "CAST('2020-1-2 3:4:5.678' AS DATETIME(2)) | '2020-01-02 03:04:05.68'",
                "CASE WHEN 1 > 2 THEN 'a' ELSE 'b' END | 'b'",
                "'abc' LIKE 'a%' | TRUE",
                "'a_c' LIKE 'a\\_c' | TRUE",
                "'abc' LIKE 'a\\_c' | FALSE",
                "database() | 'db'",
                "version() | '5.7.99'",
                "now() | '2024-02-03 04:05:06'",
                "now(3) | '2024-02-03 04:05:06.789'",
                "CURRENT_DATE | '2024-02-03'",
                "@@autocommit | TRUE",
                "@x + 1 | 6"
            })
    void computes(String expression, String expected) {
        assertThat(value(expression)).as(expression).contains(expected);
    }

    @ParameterizedTest
    @CsvSource({"9223372036854775807 + 1", "CAST('abc' AS INT)", "CAST(300 AS TINYINT)", "rand()"})
    void leavesToBackEnds(String expression) {
        assertThat(value(expression)).as(expression).isEmpty();
    }

    @Test
    void datesInManyForms() {
        for (String text : List.of(
                "2020-01-02",
                "2020-1-2",
                "20200102",
                "200102",
                "20-01-02",
                "2020/01/02",
                "2020-01-02 00:00:00",
                "20200102000000")) {
            assertThat(DateTimes.parseMicros(text))
                    .as(text)
                    .contains(java.time.LocalDate.of(2020, 1, 2).toEpochDay() * DateTimes.MICROS_PER_DAY);
        }
        for (String text : List.of("", "a", "1", "2020-13-01", "2021-02-29", "2020-01-02 25:00:00", "2020-01-02Z")) {
            assertThat(DateTimes.parseMicros(text)).as(text).isEmpty();
        }
        assertThat(DateTimes.parseMicros("10:10:10").map(micros -> DateTimes.dateTimeText(micros, 0)))
                .contains("2010-10-10 00:00:00");
    }

    @Test
    void doublesPrintShort() {
        assertThat(new Literal(1e16, DataType.DOUBLE).text()).isEqualTo("1e+16");
        assertThat(new Literal(0.1, DataType.DOUBLE).text()).isEqualTo("0.1");
        assertThat(new Literal(100.0, DataType.DOUBLE).text()).isEqualTo("100");
        assertThat(new Literal(1.5e-7, DataType.DOUBLE).text()).isEqualTo("1.5e-07");
    }
}
