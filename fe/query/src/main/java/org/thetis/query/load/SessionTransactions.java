// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.load;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.PlannerContexts;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.OpenTransaction;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.binder.BoundWrite;
import org.thetis.sql.lower.Planner;
import org.thetis.sql.plan.LogicalValues;

/**
 * BEGIN, INSERT ... VALUES into one table, COMMIT: the rows are checked as they come, kept with the session, and written by COMMIT
 * as one load, so that all of them become visible at once or none does. ROLLBACK forgets them. Thread-safe.
 */
public final class SessionTransactions {
    private static final long MAX_ROWS = 200_000;

    private final Planner planner;
    private final PlannerContexts contexts;
    private final InsertRunner inserts;
    private final CatalogReader catalog;

    public SessionTransactions(Planner planner, PlannerContexts contexts, InsertRunner inserts, CatalogReader catalog) {
        this.planner = planner;
        this.contexts = contexts;
        this.inserts = inserts;
        this.catalog = catalog;
    }

    /** BEGIN; fails inside a transaction, which would lose what is open. */
    public StatementResult begin(@Nullable String label, StatementContext context) {
        Session session = context.session();
        if (session.openTransaction().isPresent()) {
            throw new ThetisException(
                    ErrorCode.TRANSACTION_STATE, "This is in a transaction already; COMMIT or ROLLBACK it first");
        }
        String name = label != null ? label : "txn_insert_" + context.queryId().labelText();
        session.setOpenTransaction(new OpenTransaction(name));
        return done(0, name, "PREPARE");
    }

    /** An INSERT inside a transaction; a failure leaves the transaction as it was. */
    public StatementResult add(OpenTransaction transaction, Insert insert, StatementContext context) {
        if (insert.overwrite() || insert.label() != null || insert.partitions() != null) {
            throw ThetisException.notSupported("INSERT with OVERWRITE, LABEL or PARTITION between BEGIN and COMMIT");
        }
        BoundWrite write = planner.bindRows(insert, contexts.create(context))
                .orElseThrow(() -> ThetisException.notSupported(
                        "INSERT of anything but VALUES, and partial update, between BEGIN and COMMIT"));
        catalog.snapshot()
                .accessChecker()
                .checkTable(
                        context.session().identity(),
                        write.database(),
                        write.table().name(),
                        Privilege.LOAD);
        List<BoundWrite> before = transaction.writes();
        if (!before.isEmpty() && before.get(0).table().id() != write.table().id()) {
            throw ThetisException.notSupported("INSERT into more than one table between BEGIN and COMMIT");
        }
        long rows = ((LogicalValues) write.rows()).rows().size();
        if (transaction.numRows() + rows > MAX_ROWS) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a transaction takes at most " + MAX_ROWS + " rows; COMMIT more often or use a stream load");
        }
        transaction.add(write, rows);
        return done(rows, transaction.label(), "PREPARE");
    }

    /** COMMIT; whether it succeeds or fails, the transaction is over. */
    public StatementResult commit(StatementContext context, QueryCounters counters) {
        Optional<OpenTransaction> open = context.session().openTransaction();
        if (open.isEmpty()) {
            return StatementResult.Done.NOTHING;
        }
        context.session().setOpenTransaction(null);
        List<BoundWrite> writes = open.get().writes();
        if (writes.isEmpty()) {
            return done(0, open.get().label(), "VISIBLE");
        }
        OlapTable before = writes.get(0).table();
        OlapTable now = catalog.snapshot()
                .findOlapTable(before.databaseId(), before.id())
                .filter(table -> writes.stream().allMatch(write -> hasSameColumns(write.table(), table)))
                .orElseThrow(() -> new ThetisException(
                        ErrorCode.TRANSACTION_STATE,
                        "table '" + before.name() + "' was changed or dropped since BEGIN; nothing was written"));
        return inserts.run(
                planner.planTogether(writes, now, open.get().label(), contexts.create(context)),
                context.settings().enableInsertStrict(),
                context,
                counters);
    }

    private static boolean hasSameColumns(OlapTable one, OlapTable other) {
        return one.baseIndex().columns().equals(other.baseIndex().columns());
    }

    /** ROLLBACK. */
    public StatementResult rollback(StatementContext context) {
        Optional<OpenTransaction> open = context.session().openTransaction();
        if (open.isEmpty()) {
            return StatementResult.Done.NOTHING;
        }
        context.session().setOpenTransaction(null);
        return done(0, open.get().label(), "ABORTED");
    }

    private static StatementResult done(long rows, String label, String status) {
        return new StatementResult.Done(rows, 0, "{'label':'" + label + "', 'status':'" + status + "', 'txnId':''}");
    }
}
