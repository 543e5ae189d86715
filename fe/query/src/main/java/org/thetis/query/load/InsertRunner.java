// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.load;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionSource;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.txn.TransactionService;
import org.thetis.query.result.QueryRunner;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.LoadExecution;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.schedule.QueryExecution;
import org.thetis.query.schedule.QueryLauncher;
import org.thetis.query.session.LastInsert;
import org.thetis.query.session.SessionSettings;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.ast.dml.Replace;
import org.thetis.sql.lower.InsertTarget;
import org.thetis.sql.lower.LoadTransaction;
import org.thetis.sql.lower.PlannedQuery;
import org.thetis.wire.thrift.TabletCommit;

/** Runs statements that write rows: one transaction around one plan that ends in a table sink. Thread-safe. */
public final class InsertRunner {
    private static final Logger LOG = LoggerFactory.getLogger(InsertRunner.class);

    private final QueryRunner queries;
    private final QueryLauncher launcher;
    private final TransactionService transactions;
    private final CatalogReader catalog;
    private final String coordinator;

    /** @param host this front end's address, which names the coordinator of its transactions */
    public InsertRunner(
            QueryRunner queries,
            QueryLauncher launcher,
            TransactionService transactions,
            CatalogReader catalog,
            String host) {
        this.queries = queries;
        this.launcher = launcher;
        this.transactions = transactions;
        this.catalog = catalog;
        this.coordinator = "FE: " + host;
    }

    /** Plans and runs; returns when the rows are visible, or committed if that takes too long. A failure leaves nothing behind. */
    public StatementResult run(Insert insert, StatementContext context, QueryCounters counters) {
        return run(queries.plan(insert, context), context.settings().enableInsertStrict(), context, counters);
    }

    /** The same for REPLACE. */
    public StatementResult run(Replace replace, StatementContext context, QueryCounters counters) {
        return run(queries.plan(replace, context), context.settings().enableInsertStrict(), context, counters);
    }

    /** Fails when the user may not write the table. */
    void checkAccess(String database, OlapTable table, StatementContext context) {
        catalog.snapshot()
                .accessChecker()
                .checkTable(context.session().identity(), database, table.name(), Privilege.LOAD);
    }

    /** What a planned change answers that found no row to change: no transaction is begun. */
    StatementResult nothing(PlannedQuery plan, StatementContext context) {
        InsertTarget target = target(plan);
        checkAccess(target.database(), target.table(), context);
        String label = "label_" + context.queryId().labelText();
        return finished(context, target, label, -1, TransactionStatus.VISIBLE, new QueryCounters());
    }

    private static InsertTarget target(PlannedQuery plan) {
        return plan.insertTarget()
                .orElseThrow(() -> new ThetisException(ErrorCode.INTERNAL, "a write was planned without a target"));
    }

    /**
     * Runs a plan that writes rows.
     *
     * @param strict whether a single row that cannot be stored fails the statement
     */
    StatementResult run(PlannedQuery plan, boolean strict, StatementContext context, QueryCounters counters) {
        InsertTarget target = target(plan);
        checkAccess(target.database(), target.table(), context);
        String label = Optional.ofNullable(target.label())
                .orElse("label_" + context.queryId().labelText());
        Transaction transaction = begin(context, target, label);
        try {
            WrittenIndexes.check(catalog.snapshot(), target.table());
            execute(plan, transaction, strict, context, counters);
            if (!target.columns().readBefore()) {
                checkQuality(strict, context.settings(), counters);
            }
            TransactionStatus status = transactions.commit(
                    transaction.databaseId(),
                    transaction.id(),
                    commits(counters),
                    attachment(counters),
                    Duration.ofMillis(context.settings().insertVisibleTimeoutMs()));
            return finished(context, target, transaction.label(), transaction.id(), status, counters);
        } catch (RuntimeException failure) {
            abort(transaction, failure);
            throw failure;
        }
    }

    private Transaction begin(StatementContext context, InsertTarget target, String label) {
        return transactions.begin(new TransactionService.BeginRequest(
                target.table().databaseId(),
                List.of(target.table().id()),
                label,
                coordinator,
                -1,
                TransactionSource.INSERT_STREAMING,
                context.queryId().toString(),
                context.settings().insertTimeout() * 1000L));
    }

    private void execute(
            PlannedQuery plan,
            Transaction transaction,
            boolean strict,
            StatementContext context,
            QueryCounters counters) {
        SessionSettings settings = context.settings();
        QueryExecution execution = launcher.load(
                context,
                plan,
                new LoadTransaction(
                        transaction.id(),
                        transaction.databaseId(),
                        context.queryId().toThrift(),
                        settings.insertTimeout() * 1000L,
                        strict,
                        strict ? 0 : settings.insertMaxFilterRatio()),
                counters);
        LoadExecution.await(execution, context.cancellation(), Duration.ofSeconds(settings.insertTimeout()));
    }

    private static void checkQuality(boolean strict, SessionSettings settings, QueryCounters counters) {
        long filtered = counters.filteredRows();
        if (filtered == 0) {
            return;
        }
        String first = counters.firstError().isEmpty() ? "" : ", first error: " + counters.firstError();
        String where = first + (counters.errorUrl().isEmpty() ? "" : ". url: " + counters.errorUrl());
        if (strict) {
            throw new ThetisException(ErrorCode.DATA_QUALITY, "Insert has filtered data in strict mode" + where);
        }
        long total = filtered + counters.loadedRows();
        if (filtered > total * settings.insertMaxFilterRatio()) {
            throw new ThetisException(
                    ErrorCode.DATA_QUALITY,
                    "Insert has too many filtered data " + filtered + "/" + total + " insert_max_filter_ratio is "
                            + settings.insertMaxFilterRatio() + where);
        }
    }

    private static StatementResult finished(
            StatementContext context,
            InsertTarget target,
            String label,
            long transactionId,
            TransactionStatus status,
            QueryCounters counters) {
        String state = status.name();
        context.session()
                .setLastInsert(new LastInsert(
                        transactionId,
                        label,
                        target.database(),
                        target.table().name(),
                        state,
                        counters.loadedRows(),
                        counters.filteredRows()));
        String text = "{'label':'" + label + "', 'status':'" + state + "', 'txnId':'" + transactionId + "'"
                + (counters.errorUrl().isEmpty() ? "" : ", 'err':'" + counters.errorUrl() + "'") + "}";
        // Rows that were deleted between reading and writing are no fault of the statement's.
        long warnings = target.columns().readBefore() ? 0 : counters.filteredRows();
        return new StatementResult.Done(counters.loadedRows(), (int) Math.min(warnings, Integer.MAX_VALUE), text);
    }

    private static List<TabletCommit> commits(QueryCounters counters) {
        return counters.commits().stream()
                .map(commit -> new TabletCommit(commit.getTabletId(), commit.getBackendId()))
                .toList();
    }

    private static Map<String, String> attachment(QueryCounters counters) {
        Map<String, String> details = new HashMap<>();
        details.put("loadedRows", Long.toString(counters.loadedRows()));
        details.put("filteredRows", Long.toString(counters.filteredRows()));
        details.put("unselectedRows", Long.toString(counters.unselectedRows()));
        details.put("loadedBytes", Long.toString(counters.loadedBytes()));
        if (!counters.errorUrl().isEmpty()) {
            details.put("errorUrl", counters.errorUrl());
        }
        return details;
    }

    private void abort(Transaction transaction, RuntimeException failure) {
        try {
            transactions.abort(transaction.databaseId(), transaction.id(), failure.getMessage());
        } catch (ThetisException second) {
            // The commit itself may have aborted it already; the client hears of the first failure.
            LOG.info("transaction was not aborted again txn={} reason={}", transaction.id(), second.text());
        }
    }
}
