// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.thetis.base.error.ThetisException;
import org.thetis.query.result.StatementResult;
import org.thetis.sql.ast.show.ShowVariables;
import org.thetis.sql.parser.SqlParser;

/** Filters of SHOW statements over rows of text. */
class RowFilterTest {
    private static final SqlParser PARSER = new SqlParser();

    @Test
    void likeWhereOrderAndLimit() {
        assertThat(shown("LIKE 'a%'")).containsExactly("alpha", "amount");
        assertThat(shown("LIKE 'A_PHA'")).containsExactly("alpha");
        assertThat(shown("WHERE Variable_name = 'BETA'")).containsExactly("beta");
        assertThat(shown("WHERE Variable_name IN ('beta', 'amount')")).containsExactly("beta", "amount");
        assertThat(shown("WHERE Value > 9")).containsExactly("beta", "amount");
        assertThat(shown("WHERE Value IS NULL")).containsExactly("nothing");
        assertThat(shown("WHERE Variable_name LIKE '%a' AND NOT Value = 10")).containsExactly("alpha");
        assertThat(shown("WHERE Variable_name = 'alpha' OR Variable_name = 'beta'"))
                .containsExactly("alpha", "beta");
    }

    @Test
    void unknownColumnsAreNamed() {
        assertThatThrownBy(() -> shown("WHERE Variabel_name = 'x'"))
                .isInstanceOf(ThetisException.class)
                .hasMessageContaining("Variabel_name")
                .hasMessageContaining("Variable_name");
    }

    private static List<@Nullable String> shown(String filter) {
        ShowVariables statement = (ShowVariables) PARSER.parse("SHOW VARIABLES " + filter);
        ShowRows rows = new ShowRows("Variable_name", "Value")
                .add("alpha", 9)
                .add("beta", 10)
                .add("amount", 100)
                .add("nothing", null);
        StatementResult.Held held = (StatementResult.Held) rows.result(statement.filter());
        return held.rows().stream().<@Nullable String>map(row -> row.get(0)).toList();
    }
}
