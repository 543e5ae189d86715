// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** Variables: names, scopes, values, and what reaches back ends. */
class SessionVariablesTest {
    private final VariableCatalog catalog = VariableCatalog.load(Map.of("time_zone", "UTC"));
    private final GlobalVariables globals = new GlobalVariables(catalog, GlobalVariableStore.inMemory());
    private final SessionVariables variables = new SessionVariables(globals);

    @Test
    void everyDefaultPassesItsOwnCheck() {
        for (Variable variable : catalog.all()) {
            assertThat(VariableValue.normalize(variable, variable.defaultText()))
                    .as(variable.name())
                    .isEqualTo(variable.defaultText());
        }
    }

    @Test
    void globalChangesReachNewSessionsAndTheOwnOne() {
        SessionVariables other = new SessionVariables(globals);
        variables.setGlobal("query_timeout", "33");
        assertThat(variables.settings().queryTimeout()).isEqualTo(33);
        assertThat(other.settings().queryTimeout()).isEqualTo(900);
        assertThat(new SessionVariables(globals).settings().queryTimeout()).isEqualTo(33);
    }

    @Test
    void marksAreAliases() {
        variables.set("experimental_enable_agg_state", "1");
        assertThat(variables.get("ENABLE_AGG_STATE")).isEqualTo("true");
        assertThat(catalog.get("enable_agg_state").shownName()).isEqualTo("experimental_enable_agg_state");
    }

    @Test
    void scopesAreKept() {
        assertCode(() -> variables.set("max_prepared_stmt_count", "5"), ErrorCode.VARIABLE_GLOBAL_ONLY);
        assertCode(() -> variables.setGlobal("show_hidden_columns", "true"), ErrorCode.VARIABLE_SESSION_ONLY);
        assertCode(() -> variables.set("version", "8"), ErrorCode.READ_ONLY_VARIABLE);
        assertCode(() -> variables.set("no_such_thing", "8"), ErrorCode.UNKNOWN_VARIABLE);
    }

    @Test
    void valuesAreCheckedAndBroughtToOneForm() {
        variables.set("enable_profile", "ON");
        assertThat(variables.settings().enableProfile()).isTrue();
        variables.set("time_zone", "+8:00");
        assertThat(variables.settings().timeZone()).isEqualTo("+08:00");
        variables.set("sql_mode", "pipes_as_concat, STRICT_TRANS_TABLES,");
        assertThat(variables.settings().sqlMode()).isEqualTo("PIPES_AS_CONCAT,STRICT_TRANS_TABLES");
        variables.set("max_execution_time", "5000");
        assertThat(variables.settings().queryTimeout()).isEqualTo(5);
        assertCode(() -> variables.set("batch_size", "many"), ErrorCode.WRONG_TYPE_FOR_VARIABLE);
        assertCode(() -> variables.set("batch_size", "99999999999"), ErrorCode.WRONG_VARIABLE_VALUE);
        assertCode(() -> variables.set("group_commit", "sometimes"), ErrorCode.WRONG_VARIABLE_VALUE);
        assertCode(() -> variables.set("time_zone", "Mars/Base"), ErrorCode.WRONG_VARIABLE_VALUE);
    }

    @Test
    void hintsTouchOneStatementOnly() {
        SessionVariables hinted = variables.with(Map.of("runtime_filter_mode", "off"));
        assertThat(hinted.forBackends()).containsExactly(Map.entry("runtime_filter_mode", "OFF"));
        assertThat(variables.forBackends()).isEmpty();
    }

    private static void assertCode(org.assertj.core.api.ThrowableAssert.ThrowingCallable action, ErrorCode code) {
        assertThatThrownBy(action).isInstanceOfSatisfying(ThetisException.class, failure -> assertThat(failure.code())
                .isEqualTo(code));
    }
}
