// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.thetis.sql.expr.Literal;

/** What a statement may ask of the session that runs it. Values do not change while the statement is bound. */
public interface SessionFacts {
    /** The current catalog, "internal" at first. */
    String currentCatalog();

    /** The database chosen with USE or at connect. */
    Optional<String> currentDatabase();

    /** user() as 'name'@'client host'. */
    String user();

    /** current_user() as 'name'@'host pattern'. */
    String currentUser();

    /** connection_id(). */
    long connectionId();

    /** last_query_id(). */
    String lastQueryId();

    /** version(). */
    String serverVersion();

    /** When the statement began. */
    Instant statementTime();

    /** The session's time_zone. */
    ZoneId timeZone();

    /** A session or global variable by lower-case name; empty when there is none of this name. */
    Optional<Literal> systemVariable(boolean global, String name);

    /** A user variable; NULL when it was never set. */
    Literal userVariable(String name);

    /** Names of all system variables, for the hint in an error about an unknown one. */
    java.util.Collection<String> systemVariableNames();
}
