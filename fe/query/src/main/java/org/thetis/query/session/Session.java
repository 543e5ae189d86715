// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.point.PlanScope;

/**
 * What one client connection remembers between statements. Statements of a session run one at a time and hand the session on
 * through an executor; only the fields other sessions look at (process list, KILL) are volatile.
 */
public final class Session {
    public static final String INTERNAL_CATALOG = "internal";
    private static final int MAX_WARNINGS = 64;

    private final long id;
    private final UserIdentity identity;
    private final String userName;
    private final String clientHost;
    private final String clientAddress;
    private final long loginMillis;
    private final SessionVariables variables;
    private final Map<String, Literal> userVariables = new HashMap<>();
    private final PreparedStatements prepared = new PreparedStatements();
    private final Runnable disconnect;
    private List<SqlWarning> warnings = List.of();
    private @Nullable PlanScope planScope;
    private int planScopeVersion;
    private @Nullable LastInsert lastInsert;
    private @Nullable OpenTransaction openTransaction;
    private @Nullable QueryId lastQueryId;

    private volatile @Nullable String database;
    private volatile @Nullable StatementContext running;
    private volatile @Nullable InlineStatement inline;
    private volatile String command = "Sleep";
    private volatile long commandSinceMillis;
    private volatile boolean killed;

    /**
     * @param userName the name the client gave, while identity is the account it matched
     * @param disconnect closes the client's connection; called by KILL
     */
    public Session(
            long id,
            UserIdentity identity,
            String userName,
            String clientHost,
            int clientPort,
            long loginMillis,
            SessionVariables variables,
            Runnable disconnect) {
        this.id = id;
        this.identity = identity;
        this.userName = userName;
        this.clientHost = clientHost;
        this.clientAddress = clientHost + ":" + clientPort;
        this.loginMillis = loginMillis;
        this.commandSinceMillis = loginMillis;
        this.variables = variables;
        this.disconnect = disconnect;
    }

    public long id() {
        return id;
    }

    public UserIdentity identity() {
        return identity;
    }

    public String userName() {
        return userName;
    }

    public String clientHost() {
        return clientHost;
    }

    /** host:port of the client, as the process list shows it. */
    public String clientAddress() {
        return clientAddress;
    }

    public long loginMillis() {
        return loginMillis;
    }

    public SessionVariables variables() {
        return variables;
    }

    public PreparedStatements prepared() {
        return prepared;
    }

    public Optional<String> database() {
        return Optional.ofNullable(database);
    }

    /** The current database; fails with 1046 when none was chosen. */
    public String requireDatabase() {
        return database()
                .orElseThrow(() -> new ThetisException(ErrorCode.NO_DATABASE_SELECTED, "No database selected"));
    }

    public void useDatabase(@Nullable String name) {
        database = name;
        planScope = null;
    }

    /** What the session says about the meaning of its statements, now. */
    public PlanScope planScope() {
        PlanScope scope = planScope;
        if (scope == null || planScopeVersion != variables.version()) {
            scope = PlanScope.of(identity, database, variables.changes());
            planScope = scope;
            planScopeVersion = variables.version();
        }
        return scope;
    }

    public Literal userVariable(String name) {
        return userVariables.getOrDefault(name.toLowerCase(Locale.ROOT), Literal.nullOf(DataType.VARCHAR));
    }

    public void setUserVariable(String name, Literal value) {
        userVariables.put(name.toLowerCase(Locale.ROOT), value);
    }

    /** Warnings of the last statement that is not a SHOW of them. */
    public List<SqlWarning> warnings() {
        return warnings;
    }

    public void clearWarnings() {
        warnings = List.of();
    }

    public void addWarning(SqlWarning warning) {
        if (warnings.size() < MAX_WARNINGS) {
            List<SqlWarning> more = new ArrayList<>(warnings);
            more.add(warning);
            warnings = List.copyOf(more);
        }
    }

    public Optional<LastInsert> lastInsert() {
        return Optional.ofNullable(lastInsert);
    }

    public void setLastInsert(LastInsert insert) {
        lastInsert = insert;
    }

    /** What was written since BEGIN, if a transaction is open. */
    public Optional<OpenTransaction> openTransaction() {
        return Optional.ofNullable(openTransaction);
    }

    public void setOpenTransaction(@Nullable OpenTransaction transaction) {
        openTransaction = transaction;
    }

    public String lastQueryId() {
        QueryId known = lastQueryId;
        return known == null ? "" : known.toString();
    }

    public Optional<StatementContext> running() {
        StatementContext statement = running;
        if (statement != null) {
            return Optional.of(statement);
        }
        InlineStatement onLoop = inline;
        return onLoop == null ? Optional.empty() : Optional.of(onLoop.describe());
    }

    /** Query, Sleep, ... as the process list shows it. */
    public String command() {
        return command;
    }

    /** When the current command, or the current idleness, began. */
    public long commandSinceMillis() {
        return commandSinceMillis;
    }

    /** A statement starts; it is what KILL QUERY ends from now on. */
    public void begin(StatementContext statement, String commandName) {
        running = statement;
        command = commandName;
        commandSinceMillis = statement.startMillis();
        lastQueryId = statement.queryId();
        if (killed) {
            statement.cancellation().cancel(killReason());
        }
    }

    /** A statement starts on the event loop: as {@link #begin}, without anything made for it. */
    public void beginInline(InlineStatement statement, QueryId queryId, String commandName, long nowMillis) {
        command = commandName;
        commandSinceMillis = nowMillis;
        lastQueryId = queryId;
        warnings = List.of();
        inline = statement;
    }

    /** The current statement is over. */
    public void end(long nowMillis) {
        running = null;
        inline = null;
        command = "Sleep";
        commandSinceMillis = nowMillis;
    }

    /** Ends the current statement, and with `connection` the session too. */
    public void kill(boolean connection) {
        running().ifPresent(statement -> statement.cancellation().cancel(killReason()));
        if (connection) {
            killed = true;
            disconnect.run();
        }
    }

    /** The client is gone: ends whatever runs for it. */
    public void clientLeft() {
        killed = true;
        StatementContext statement = running;
        if (statement != null) {
            statement.cancellation().cancel(new ThetisException(ErrorCode.CANCELLED, "client closed the connection"));
        }
    }

    /** Forgets everything a client set, as COM_RESET_CONNECTION asks. */
    public void reset() {
        prepared.clear();
        userVariables.clear();
        warnings = List.of();
        openTransaction = null;
        variables.resetAll();
    }

    private static ThetisException killReason() {
        return new ThetisException(ErrorCode.CANCELLED, "Query execution was interrupted: cancelled by KILL");
    }
}
