// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionSource;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.task.DeleteTasks;
import org.thetis.cluster.txn.TransactionService;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.lower.StoragePredicate;
import org.thetis.wire.thrift.DeletePredicate;
import org.thetis.wire.thrift.TabletCommit;

/** Runs DELETE of tables without delete signs: a condition is left in every tablet under a transaction. Thread-safe. */
public final class DeleteRunner {
    /** Under these names SHOW DELETE finds what a transaction deleted. */
    public static final String CONDITION = "deleteCondition";

    public static final String PARTITIONS = "deletePartitions";

    private static final Logger LOG = LoggerFactory.getLogger(DeleteRunner.class);
    private static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final TransactionService transactions;
    private final DeleteTasks tasks;
    private final CatalogReader catalog;
    private final String coordinator;

    /** @param host this front end's address, which names the coordinator of its transactions */
    public DeleteRunner(TransactionService transactions, DeleteTasks tasks, CatalogReader catalog, String host) {
        this.transactions = transactions;
        this.tasks = tasks;
        this.catalog = catalog;
        this.coordinator = "FE: " + host;
    }

    /** Returns when the rows are gone for readers, or the deletion is committed if that takes too long. */
    public StatementResult run(StoragePredicate delete, StatementContext context) {
        catalog.snapshot()
                .accessChecker()
                .checkTable(
                        context.session().identity(),
                        delete.database(),
                        delete.table().name(),
                        Privilege.LOAD);
        String label = "delete_" + context.queryId().labelText();
        if (delete.partitions().isEmpty()) {
            return done(label, -1, TransactionStatus.VISIBLE);
        }
        context.cancellation().check();
        Map<Long, DeletePredicate> predicates = predicates(delete);
        Transaction transaction = begin(delete, label, context);
        try {
            WrittenIndexes.check(catalog.snapshot(), delete.table());
            long end = System.nanoTime()
                    + TimeUnit.SECONDS.toNanos(Math.max(1, context.settings().queryTimeout()));
            List<TabletCommit> commits = new ArrayList<>();
            predicates.forEach((index, predicate) -> {
                Duration left = Duration.ofNanos(Math.max(MIN_WAIT_NANOS, end - System.nanoTime()));
                commits.addAll(tasks.delete(transaction.id(), tablets(delete, index), predicate, left));
            });
            context.cancellation().check();
            TransactionStatus status = transactions.commit(
                    transaction.databaseId(),
                    transaction.id(),
                    commits,
                    Map.of(
                            CONDITION,
                            delete.predicate().getText(),
                            PARTITIONS,
                            delete.partitions().stream().map(Partition::name).collect(Collectors.joining(", "))),
                    Duration.ofMillis(context.settings().insertVisibleTimeoutMs()));
            return done(label, transaction.id(), status);
        } catch (RuntimeException failure) {
            abort(transaction, failure);
            throw failure;
        }
    }

    private Transaction begin(StoragePredicate delete, String label, StatementContext context) {
        return transactions.begin(new TransactionService.BeginRequest(
                delete.table().databaseId(),
                List.of(delete.table().id()),
                label,
                coordinator,
                -1,
                TransactionSource.FRONTEND,
                context.queryId().toString(),
                context.settings().queryTimeout() * 1000L));
    }

    /** The condition as each index of the table has it, the shadow of a schema change included. */
    private static Map<Long, DeletePredicate> predicates(StoragePredicate delete) {
        Map<Long, DeletePredicate> predicates = new TreeMap<>();
        predicates.put(delete.table().baseIndex().id(), delete.predicate());
        delete.table().shadowIndex().ifPresent(shadow -> predicates.put(shadow.id(), delete.over(shadow)));
        return predicates;
    }

    private static List<Tablet> tablets(StoragePredicate delete, long indexId) {
        return delete.partitions().stream()
                .flatMap(partition -> partition.indexes().stream())
                .filter(index -> index.indexId() == indexId)
                .flatMap(index -> index.tablets().stream())
                .toList();
    }

    private static StatementResult done(String label, long transactionId, TransactionStatus status) {
        return new StatementResult.Done(
                0, 0, "{'label':'" + label + "', 'txnId':'" + transactionId + "', 'status':'" + status.name() + "'}");
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
