// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Optional;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.binder.SessionFacts;
import org.thetis.sql.expr.Literal;

/** Shows a statement's session to the planner. */
public final class SessionView implements SessionFacts {
    private final StatementContext statement;
    private final Session session;
    private final String serverVersion;

    public SessionView(StatementContext statement, String serverVersion) {
        this.statement = statement;
        this.session = statement.session();
        this.serverVersion = serverVersion;
    }

    @Override
    public String currentCatalog() {
        return Session.INTERNAL_CATALOG;
    }

    @Override
    public Optional<String> currentDatabase() {
        return session.database();
    }

    @Override
    public String user() {
        return "'" + session.userName() + "'@'" + session.clientHost() + "'";
    }

    @Override
    public String currentUser() {
        return session.identity().toString();
    }

    @Override
    public long connectionId() {
        return session.id();
    }

    @Override
    public String lastQueryId() {
        return session.lastQueryId();
    }

    @Override
    public String serverVersion() {
        return serverVersion;
    }

    @Override
    public Instant statementTime() {
        return statement.start();
    }

    @Override
    public ZoneId timeZone() {
        return ZoneId.of(statement.settings().timeZone());
    }

    @Override
    public Optional<Literal> systemVariable(boolean global, String name) {
        SessionVariables variables = statement.variables();
        return variables
                .globals()
                .catalog()
                .find(name)
                .map(variable ->
                        literal(variable, global ? variables.globals().value(variable) : variables.value(variable)));
    }

    @Override
    public Literal userVariable(String name) {
        return session.userVariable(name);
    }

    @Override
    public Collection<String> systemVariableNames() {
        return statement.variables().globals().catalog().all().stream()
                .map(Variable::name)
                .toList();
    }

    /** Numbers and booleans as numbers, since drivers read them as such; everything else as text. */
    private static Literal literal(Variable variable, String text) {
        if (variable.type() == Variable.Type.BOOL) {
            return new Literal(text.equals("true"), DataType.BOOLEAN);
        }
        if (text.matches("-?\\d{1,18}|" + Long.MAX_VALUE)) {
            return Literal.bigint(Long.parseLong(text));
        }
        return Literal.string(text);
    }
}
