// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.load;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.txn.TransactionService;
import org.thetis.query.point.KeyedChanges;
import org.thetis.query.result.QueryRunner;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.lower.InsertTarget;
import org.thetis.sql.lower.PlannedQuery;

/**
 * Runs UPDATE, and DELETE of UNIQUE tables: they read rows and write them changed. Two of them on one table run one after the
 * other, each reading what the one before made visible, so that neither loses the other's change. Thread-safe.
 */
public final class ChangeRunner {
    private final QueryRunner queries;
    private final InsertRunner inserts;
    private final DeleteRunner deletes;
    private final KeyedChanges keyedChanges;
    private final TransactionService transactions;
    private final CatalogReader catalog;
    private final Clock clock;
    private final TableLocks locks = new TableLocks();

    public ChangeRunner(
            QueryRunner queries,
            InsertRunner inserts,
            DeleteRunner deletes,
            KeyedChanges keyedChanges,
            TransactionService transactions,
            CatalogReader catalog,
            Clock clock) {
        this.queries = queries;
        this.inserts = inserts;
        this.deletes = deletes;
        this.keyedChanges = keyedChanges;
        this.transactions = transactions;
        this.catalog = catalog;
        this.clock = clock;
    }

    /** Plans and runs; returns when the change is visible, or committed if that takes too long. */
    public StatementResult run(Statement statement, StatementContext context, QueryCounters counters) {
        KeyedChanges.Keyed keyed = keyedChanges.find(statement, context);
        StatementResult done = keyed == null ? null : runKeyed(keyed, statement, context, counters);
        return done == null ? runPlanned(statement, context, counters) : done;
    }

    private StatementResult runPlanned(Statement statement, StatementContext context, QueryCounters counters) {
        PlannedQuery first = queries.plan(statement, context);
        if (first.storagePredicate().isPresent()) {
            return deletes.run(first.storagePredicate().get(), context);
        }
        InsertTarget target = first.insertTarget()
                .orElseThrow(() -> new ThetisException(ErrorCode.INTERNAL, "a change was planned without a target"));
        inserts.checkAccess(target.database(), target.table(), context);
        Duration longest = longest(context);
        long deadline = clock.millis() + longest.toMillis();
        try (TableLocks.Held turn = locks.acquire(target.table().id(), context.cancellation(), longest)) {
            awaitCommitted(target.table(), context, deadline);
            // Planned again, as the plan names the versions it reads.
            return inserts.run(queries.plan(statement, context), true, context, counters);
        }
    }

    /** The same for a statement whose rows are looked up by key; null when nothing was done, since it has to be planned after all. */
    private @Nullable StatementResult runKeyed(
            KeyedChanges.Keyed keyed, Statement statement, StatementContext context, QueryCounters counters) {
        OlapTable table = keyed.plan().table(catalog.snapshot());
        if (table == null) {
            return null;
        }
        inserts.checkAccess(keyed.plan().database(), table, context);
        Duration longest = longest(context);
        long deadline = clock.millis() + longest.toMillis();
        try (TableLocks.Held turn = locks.acquire(table.id(), context.cancellation(), longest)) {
            awaitCommitted(table, context, deadline);
            KeyedChanges.Change change = keyedChanges.read(keyed, statement, context, longest);
            if (change == null) {
                return null;
            }
            return change.numRows() == 0
                    ? inserts.nothing(change.write(), context)
                    : inserts.run(change.write(), true, context, counters);
        }
    }

    private static Duration longest(StatementContext context) {
        return Duration.ofSeconds(context.settings().insertTimeout());
    }

    /** Waits until everything that is committed to the table now is visible. */
    private void awaitCommitted(OlapTable table, StatementContext context, long deadline) {
        boolean settled =
                catalog
                        .snapshot()
                        .findOlapTable(table.databaseId(), table.id())
                        .orElse(table)
                        .partitions()
                        .values()
                        .stream()
                        .allMatch(partition -> partition.committedVersion() == partition.visibleVersion());
        if (settled) {
            return;
        }
        for (Transaction transaction : transactions.list(table.databaseId())) {
            while (transaction.status() == TransactionStatus.COMMITTED
                    && transaction.tableIds().contains(table.id())
                    && transactions.awaitVisible(table.databaseId(), transaction.id(), Duration.ofMillis(200))
                            == TransactionStatus.COMMITTED) {
                context.cancellation().check();
                if (clock.millis() > deadline) {
                    throw new ThetisException(
                            ErrorCode.PUBLISH_TIMEOUT,
                            "transaction " + transaction.id() + " on the table is not visible yet");
                }
            }
        }
    }
}
