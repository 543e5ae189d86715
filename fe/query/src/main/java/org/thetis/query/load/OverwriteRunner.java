// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.load;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.schema.Partition;
import org.thetis.cluster.alter.Overwrite;
import org.thetis.cluster.alter.TableCommands;
import org.thetis.cluster.txn.TransactionService;
import org.thetis.query.result.QueryRunner;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.LastInsert;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.lower.InsertTarget;

/**
 * Runs INSERT OVERWRITE: rows fill temporary partitions that then take the place of the old ones in one step, so that readers see
 * all old rows or all new ones. With PARTITION(*) only partitions that rows come for are replaced. Thread-safe.
 */
public final class OverwriteRunner {
    private final QueryRunner queries;
    private final InsertRunner inserts;
    private final TransactionService transactions;
    private final TableCommands tables;

    public OverwriteRunner(
            QueryRunner queries, InsertRunner inserts, TransactionService transactions, TableCommands tables) {
        this.queries = queries;
        this.inserts = inserts;
        this.transactions = transactions;
        this.tables = tables;
    }

    /** Returns when the new rows are there; a failure leaves the old ones. */
    public StatementResult run(Insert insert, StatementContext context, QueryCounters counters) {
        PartitionSelection given = insert.partitions();
        if (given != null && given.temporary()) {
            throw ThetisException.notSupported("INSERT OVERWRITE of temporary partitions");
        }
        // Planned once for what it refuses, before anything is made.
        InsertTarget target = queries.plan(asInsert(insert, given), context)
                .insertTarget()
                .orElseThrow(() -> new ThetisException(ErrorCode.INTERNAL, "INSERT was planned without a target"));
        inserts.checkAccess(target.database(), target.table(), context);
        Overwrite overwrite = tables.beginOverwrite(
                target.database(), target.table().name(), given == null ? List.of() : given.names());
        Overwrite unused = overwrite;
        try {
            if (overwrite.temporary().isEmpty()) {
                throw new ThetisException(
                        ErrorCode.INSERT_FAILED, "table " + target.table().name() + " has no partition to overwrite");
            }
            PartitionSelection temporary = new PartitionSelection(true, false, overwrite.temporaryNames());
            StatementResult result = inserts.run(asInsert(insert, temporary), context, counters);
            long transaction = awaitVisible(overwrite, context);
            Overwrite filled = overwrite;
            if (given != null && given.all()) {
                Set<Long> touched = touched(overwrite.databaseId(), transaction);
                filled = overwrite.only(partition -> touched.contains(partition.id()));
            }
            if (!filled.temporary().isEmpty()) {
                tables.finishOverwrite(filled);
            }
            List<Partition> swapped = filled.temporary();
            unused = overwrite.only(partition -> !swapped.contains(partition));
            return result;
        } finally {
            if (!unused.temporary().isEmpty()) {
                tables.abandonOverwrite(unused);
            }
        }
    }

    private static Insert asInsert(Insert overwrite, @Nullable PartitionSelection partitions) {
        return new Insert(
                overwrite.position(),
                overwrite.table(),
                false,
                partitions,
                overwrite.label(),
                overwrite.columns(),
                overwrite.hints(),
                overwrite.source());
    }

    /** Rows that are committed only would not be there at once after the swap. */
    private long awaitVisible(Overwrite overwrite, StatementContext context) {
        LastInsert last = context.session()
                .lastInsert()
                .orElseThrow(() -> new ThetisException(ErrorCode.INTERNAL, "the INSERT left no trace"));
        TransactionStatus status = transactions.awaitVisible(
                overwrite.databaseId(),
                last.txnId(),
                Duration.ofSeconds(context.settings().insertTimeout()));
        if (status != TransactionStatus.VISIBLE) {
            throw new ThetisException(ErrorCode.TIMEOUT, "the new rows did not become visible in time");
        }
        return last.txnId();
    }

    /** Partitions that rows came for. */
    private Set<Long> touched(long databaseId, long transactionId) {
        return transactions.find(databaseId, transactionId).stream()
                .flatMap(transaction -> transaction.partitions().stream())
                .map(Transaction.PartitionVersion::partitionId)
                .collect(Collectors.toSet());
    }
}
