// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Optional;
import org.thetis.sql.binder.SessionFacts;
import org.thetis.sql.expr.Literal;

/** Shows a session to the binder and notices when a statement's meaning comes to depend on more than a {@link PlanScope} says. */
final class SteadyFacts implements SessionFacts {
    private final SessionFacts session;
    private boolean isSteady = true;

    SteadyFacts(SessionFacts session) {
        this.session = session;
    }

    /** Whether nothing was asked that may be different the next time. */
    boolean isSteady() {
        return isSteady;
    }

    private SessionFacts changing() {
        isSteady = false;
        return session;
    }

    @Override
    public String currentCatalog() {
        return session.currentCatalog();
    }

    @Override
    public Optional<String> currentDatabase() {
        return session.currentDatabase();
    }

    @Override
    public String user() {
        return changing().user();
    }

    @Override
    public String currentUser() {
        return changing().currentUser();
    }

    @Override
    public long connectionId() {
        return changing().connectionId();
    }

    @Override
    public String lastQueryId() {
        return changing().lastQueryId();
    }

    @Override
    public String serverVersion() {
        return session.serverVersion();
    }

    @Override
    public Instant statementTime() {
        return changing().statementTime();
    }

    @Override
    public ZoneId timeZone() {
        return session.timeZone();
    }

    @Override
    public Optional<Literal> systemVariable(boolean global, String name) {
        return session.systemVariable(global, name);
    }

    @Override
    public Literal userVariable(String name) {
        return changing().userVariable(name);
    }

    @Override
    public Collection<String> systemVariableNames() {
        return session.systemVariableNames();
    }
}
