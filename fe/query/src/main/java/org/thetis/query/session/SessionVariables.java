// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.parser.ParserOptions;

/**
 * The variables of one session: the global values at its start, overlaid by its own changes. Used by the session's current
 * statement only, so not synchronized.
 */
public final class SessionVariables {
    private final GlobalVariables globals;
    private final Map<String, String> values;
    private int version;
    private final SessionSettings settings = new SessionSettings(this::text);
    private @Nullable Frequent frequent;

    /** Settings that every command asks for, read once per change: reading them by name costs a look-up as much as its routing. */
    public record Frequent(int version, int waitTimeout, boolean auditsPrepared, ParserOptions parserOptions) {}

    /** Starts from the current global values. */
    public SessionVariables(GlobalVariables globals) {
        this(globals, new HashMap<>(globals.changes()));
    }

    private SessionVariables(GlobalVariables globals, Map<String, String> values) {
        this.globals = globals;
        this.values = values;
    }

    /** Typed reading of the variables we act on. */
    public SessionSettings settings() {
        return settings;
    }

    public GlobalVariables globals() {
        return globals;
    }

    /** The session's value; an unknown name fails with 1193. */
    public String get(String name) {
        return value(globals.catalog().get(name));
    }

    /** The session's value of a known variable; variables without session scope show the global value. */
    public String value(Variable variable) {
        if (variable.scope() == Variable.Scope.GLOBAL) {
            return globals.value(variable);
        }
        return values.getOrDefault(variable.name(), variable.defaultText());
    }

    /** SET SESSION: checks and changes this session's value. */
    public void set(String name, String text) {
        Variable variable = globals.catalog().get(name);
        refuseReadOnly(variable);
        if (variable.scope() == Variable.Scope.GLOBAL) {
            throw new ThetisException(
                    ErrorCode.VARIABLE_GLOBAL_ONLY,
                    "Variable '" + variable.name() + "' is a GLOBAL variable and should be set with SET GLOBAL");
        }
        apply(variable, VariableValue.normalize(variable, text));
    }

    /** SET GLOBAL: changes what new sessions start with, and this session. */
    public void setGlobal(String name, String text) {
        Variable variable = globals.catalog().get(name);
        refuseReadOnly(variable);
        if (variable.scope() == Variable.Scope.SESSION) {
            throw new ThetisException(
                    ErrorCode.VARIABLE_SESSION_ONLY,
                    "Variable '" + variable.name() + "' is a SESSION variable and can't be used with SET GLOBAL");
        }
        String normalized = VariableValue.normalize(variable, text);
        globals.put(variable, normalized);
        if (variable.scope() != Variable.Scope.GLOBAL) {
            apply(variable, normalized);
        }
    }

    /** Back to the default. */
    public void unset(Variable variable, boolean global) {
        refuseReadOnly(variable);
        if (global) {
            globals.put(variable, variable.defaultText());
        }
        values.remove(variable.name());
        version++;
    }

    /** Back to the current global values. */
    public void resetAll() {
        values.clear();
        values.putAll(globals.changes());
        version++;
    }

    /** A copy for one statement with SET_VAR hints applied. */
    public SessionVariables with(Map<String, String> hints) {
        SessionVariables copy = new SessionVariables(globals, new HashMap<>(values));
        hints.forEach(copy::set);
        return copy;
    }

    /** What is read at every command, as it is now. */
    public Frequent frequent() {
        Frequent known = frequent;
        if (known == null || known.version != version) {
            known = new Frequent(
                    version,
                    settings.waitTimeout(),
                    settings.enablePreparedStmtAuditLog(),
                    ParserOptions.ofSqlMode(settings.sqlMode()));
            frequent = known;
        }
        return known;
    }

    /** A number that is another one after every change. */
    public int version() {
        return version;
    }

    /** Names and values of the variables that differ from their defaults. */
    public Map<String, String> changes() {
        return Map.copyOf(values);
    }

    /** Names and values of the variables back ends read, where they differ from the default. */
    public Map<String, String> forBackends() {
        Map<String, String> sent = new HashMap<>();
        values.forEach((name, value) -> {
            if (globals.catalog().get(name).toBackend()) {
                sent.put(name, value);
            }
        });
        return sent;
    }

    private void apply(Variable variable, String normalized) {
        version++;
        values.put(variable.name(), normalized);
        // Drivers set the limit in milliseconds; the two names mean one thing.
        if (variable.name().equals("max_execution_time")) {
            int millis = Integer.parseInt(normalized);
            values.put("query_timeout", Integer.toString(Math.max(1, millis / 1000)));
        }
    }

    private static void refuseReadOnly(Variable variable) {
        if (variable.scope() == Variable.Scope.READ_ONLY) {
            throw new ThetisException(
                    ErrorCode.READ_ONLY_VARIABLE, "Variable '" + variable.name() + "' is a read only variable");
        }
    }

    private String text(String name) {
        return value(globals.catalog().get(name));
    }
}
