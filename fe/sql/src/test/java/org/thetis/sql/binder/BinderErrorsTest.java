// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.lower.TestCluster;

/** Wrong statements fail with the code clients know, a hint, and the place. */
class BinderErrorsTest {
    private static final TestCluster CLUSTER = new TestCluster(1);

    static {
        CLUSTER.table("t", "id int not null, price decimal(10,2), name varchar(5)", 1, 100);
        CLUSTER.table("u", "id int not null, other int", 1, 100);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT prise FROM t | UNKNOWN_COLUMN | did you mean 'price'",
                "SELECT x.id FROM t | UNKNOWN_COLUMN | x.id",
                "SELECT id FROM t JOIN u ON t.id = u.id | AMBIGUOUS_COLUMN | ambiguous",
                "SELECT * FROM tt | UNKNOWN_TABLE | did you mean 't'",
                "SELECT * FROM t, t | DUPLICATE_ALIAS | Not unique",
                "SELECT lenght(name) FROM t | ANALYSIS | did you mean 'length'",
                "SELECT length(name, 1, 2) FROM t | ANALYSIS | there are:",
                "SELECT name, count(*) FROM t | ANALYSIS | GROUP BY",
                "SELECT id FROM t WHERE sum(id) > 1 | ANALYSIS | not allowed in where clause",
                "SELECT sum(sum(id)) FROM t | ANALYSIS | not allowed",
                "SELECT id FROM t ORDER BY 3 | ANALYSIS | position 3",
                "SELECT id FROM t UNION SELECT id, name FROM t | ANALYSIS | different number of columns",
                "SELECT id FROM (SELECT id FROM t) | DERIVED_TABLE_ALIAS | alias",
                "SELECT id FROM t WHERE id IN (SELECT id, other FROM u) | OPERAND_COLUMNS | 1 column",
                "SELECT @@autocommmit | UNKNOWN_VARIABLE | did you mean 'autocommit'",
                "SELECT DATE '2020-02-30' | ANALYSIS | invalid",
                "SELECT DISTINCT id FROM t ORDER BY name | ANALYSIS | DISTINCT",
                "SELECT sum(id) OVER (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t | ANALYSIS | OrderBy",
                "SELECT * EXCEPT(nothing) FROM t | UNKNOWN_COLUMN | nothing",
                "INSERT INTO t (id, id) VALUES (1, 2) | DUPLICATE_COLUMN_IN_LIST | twice",
                "INSERT INTO t (id, nme) VALUES (1, 'a') | UNKNOWN_COLUMN | did you mean 'name'",
                "INSERT INTO t VALUES (1, 2) | COLUMN_COUNT_MISMATCH | 3 columns",
                "INSERT INTO t (price) VALUES (1) | NO_DEFAULT_FOR_FIELD | 'id'",
                "INSERT INTO t (id) VALUES (NULL) | INSERT_FAILED | cannot be null",
                "INSERT INTO t (id) VALUES (3000000000) | OUT_OF_RANGE | out of range",
                "INSERT INTO t (id) VALUES ('abc') | INSERT_FAILED | incorrect",
                "INSERT INTO t (id, name) VALUES (1, 'abcdef') | INSERT_FAILED | too long",
                "WITH RECURSIVE r AS (SELECT * FROM r) SELECT * FROM r | NOT_SUPPORTED | WITH RECURSIVE"
            })
    void errors(String sql, ErrorCode code, String words) {
        assertThatThrownBy(() -> CLUSTER.plan(sql))
                .isInstanceOfSatisfying(
                        ThetisException.class,
                        failure -> assertThat(failure.code()).as(failure.text()).isEqualTo(code))
                .hasMessageContaining(words);
    }

    @org.junit.jupiter.api.Test
    void theMessageNamesLineAndColumn() {
        assertThatThrownBy(() -> CLUSTER.plan("SELECT id,\n  prise FROM t"))
                .hasMessageContaining("line 2")
                .hasMessageContaining("pos 2");
    }
}
