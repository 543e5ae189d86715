// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.thetis.sql.expr.Literal;

/**
 * Notes what a binding asks of catalog and session, and what it is told: a binding is a function of its tree and these answers. Used
 * by one thread.
 */
final class BindingReads {
    /** A question and its answer. Immutable; keeps neither the session nor the catalog that was asked. */
    record Read(BiFunction<TableResolver, SessionFacts, Object> question, Object answer) {
        /** Whether the answer is still the same. */
        boolean holds(TableResolver tables, SessionFacts session) {
            Object now = question.apply(tables, session);
            return answer instanceof ResolvedTable before
                    ? now instanceof ResolvedTable table && isSame(before, table)
                    : answer.equals(now);
        }

        /** Tables change as a whole: every version of one is an object of its own. Rows of the front end are made anew each time. */
        @SuppressWarnings("ReferenceEquality")
        private static boolean isSame(ResolvedTable before, ResolvedTable now) {
            if (before instanceof ResolvedTable.Stored known && now instanceof ResolvedTable.Stored stored) {
                return known.table() == stored.table()
                        && known.database().equals(stored.database())
                        && known.catalog().equals(stored.catalog());
            }
            return before instanceof ResolvedTable.View && before.equals(now);
        }
    }

    private final TableResolver tables;
    private final SessionFacts session;
    private final List<Read> reads = new ArrayList<>();

    /** Whether an answer was one that the next statement is never given. */
    private boolean isOfOnce;

    BindingReads(TableResolver tables, SessionFacts session) {
        this.tables = tables;
        this.session = session;
    }

    /** The same tables; what is asked is noted. */
    TableResolver tables() {
        return new NotedTables();
    }

    /** The same session; what is asked is noted. */
    SessionFacts session() {
        return new NotedSession();
    }

    /** Whether another statement may ever be answered alike. */
    boolean mayComeAgain() {
        return !isOfOnce;
    }

    /** What was asked so far. */
    List<Read> reads() {
        return List.copyOf(reads);
    }

    private final class NotedTables implements TableResolver {
        @Override
        public Optional<ResolvedTable> find(String catalog, String database, String table) {
            Optional<ResolvedTable> found = tables.find(catalog, database, table);
            if (found.isEmpty() || found.get() instanceof ResolvedTable.Rows) {
                isOfOnce = true;
            } else {
                reads.add(new Read(
                        (now, facts) -> now.find(catalog, database, table)
                                .map(Object.class::cast)
                                .orElse(""),
                        found.get()));
            }
            return found;
        }

        @Override
        public List<String> tableNames(String catalog, String database) {
            isOfOnce = true; // For an error only.
            return tables.tableNames(catalog, database);
        }
    }

    private final class NotedSession implements SessionFacts {
        private <T> T noted(BiFunction<TableResolver, SessionFacts, Object> question, T answer) {
            reads.add(new Read(question, answer));
            return answer;
        }

        private <T> T once(T answer) {
            isOfOnce = true;
            return answer;
        }

        @Override
        public String currentCatalog() {
            return noted((now, facts) -> facts.currentCatalog(), session.currentCatalog());
        }

        @Override
        public Optional<String> currentDatabase() {
            return noted((now, facts) -> facts.currentDatabase(), session.currentDatabase());
        }

        @Override
        public String user() {
            return noted((now, facts) -> facts.user(), session.user());
        }

        @Override
        public String currentUser() {
            return noted((now, facts) -> facts.currentUser(), session.currentUser());
        }

        @Override
        public long connectionId() {
            return once(session.connectionId());
        }

        @Override
        public String lastQueryId() {
            return once(session.lastQueryId());
        }

        @Override
        public String serverVersion() {
            return noted((now, facts) -> facts.serverVersion(), session.serverVersion());
        }

        @Override
        public Instant statementTime() {
            return once(session.statementTime());
        }

        @Override
        public ZoneId timeZone() {
            return noted((now, facts) -> facts.timeZone(), session.timeZone());
        }

        @Override
        public Optional<Literal> systemVariable(boolean global, String name) {
            return noted((now, facts) -> facts.systemVariable(global, name), session.systemVariable(global, name));
        }

        @Override
        public Literal userVariable(String name) {
            return noted((now, facts) -> facts.userVariable(name), session.userVariable(name));
        }

        @Override
        public Collection<String> systemVariableNames() {
            return once(session.systemVariableNames());
        }
    }
}
