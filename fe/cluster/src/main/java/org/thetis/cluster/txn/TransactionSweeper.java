// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.TransactionSettings;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.base.thread.PeriodicJob;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.snapshot.DatabaseTransactions;
import org.thetis.cluster.node.BackendState;
import org.thetis.cluster.node.NodeService;

/** Aborts transactions past their timeout or whose coordinator is gone, and forgets old labels. */
final class TransactionSweeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionSweeper.class);

    private final TransactionSettings settings;
    private final TransactionCoordinator transactions;
    private final NodeService nodes;
    private final Clock clock;
    private final PeriodicJob timeouts;
    private final PeriodicJob labels;

    TransactionSweeper(
            TransactionSettings settings, TransactionCoordinator transactions, NodeService nodes, Clock clock) {
        this.settings = settings;
        this.transactions = transactions;
        this.nodes = nodes;
        this.clock = clock;
        this.timeouts = new PeriodicJob(
                "txn-timeouts",
                () -> Duration.ofSeconds(settings.transactionCleanIntervalSecond()),
                this::abortOverdue);
        this.labels = new PeriodicJob(
                "txn-labels", () -> Duration.ofSeconds(settings.labelCleanIntervalSecond()), this::forgetOld);
    }

    void start() {
        timeouts.start();
        labels.start();
    }

    /** One pass over all open and pre-committed transactions. */
    void abortOverdue() {
        if (!transactions.isLeader()) {
            return;
        }
        long now = clock.millis();
        abortOpen(
                open -> now
                        > open.transaction().prepareMillis()
                                + open.transaction().timeoutMillis(),
                "timeout by txn manager");
        long lost = settings.abortTxnAfterLostHeartbeatTimeSecond() * 1000L;
        abortOpen(open -> isLost(open.coordinatorBackend(), now, lost), "coordinate BE is down");
        for (Transaction transaction : transactions.snapshot().runningTransactions()) {
            if (transaction.status() == TransactionStatus.PRECOMMITTED
                    && now > transaction.precommitMillis() + transaction.timeoutMillis()) {
                abort(transaction, "timeout by txn manager");
            }
        }
        forgetSurplus();
    }

    /** Many small loads would fill memory before the labels' own rhythm comes round. */
    private void forgetSurplus() {
        for (Map.Entry<Long, DatabaseTransactions> entry :
                transactions.snapshot().transactions()) {
            if (entry.getValue().byId().size() > 2 * settings.labelNumThreshold()) {
                forgetOld();
                return;
            }
        }
    }

    private boolean isLost(long backendId, long now, long toleratedMillis) {
        if (backendId < 0) {
            return false;
        }
        Optional<BackendState> state = nodes.findBackend(backendId);
        return state.isEmpty()
                || (!state.get().alive()
                        && state.get().lastHeartbeatMillis() >= 0
                        && now - state.get().lastHeartbeatMillis() > toleratedMillis);
    }

    void abortCoordinatedBy(long backendId, String reason) {
        abortOpen(open -> open.coordinatorBackend() == backendId, reason);
    }

    private void abortOpen(Predicate<OpenTransactions.Open> which, String reason) {
        for (Map.Entry<Long, OpenTransactions> entry : transactions.openByDatabase()) {
            for (OpenTransactions.Open open : entry.getValue().select(which)) {
                abort(open.transaction(), reason);
            }
        }
    }

    private void abort(Transaction transaction, String reason) {
        try {
            transactions.abort(transaction.databaseId(), transaction.id(), reason);
        } catch (ThetisException e) {
            LOG.info("A transaction ended while it was to be aborted: txn={} reason={}", transaction.id(), e.text());
        }
    }

    /** Forgets finished transactions past their retention, and the oldest beyond the number that is kept. */
    void forgetOld() {
        if (!transactions.isLeader()) {
            return;
        }
        long now = clock.millis();
        for (Map.Entry<Long, DatabaseTransactions> entry :
                transactions.snapshot().transactions()) {
            List<Transaction> finished = new ArrayList<>(entry.getValue().byId().values().stream()
                    .filter(known -> known.status().isFinal())
                    .toList());
            int surplus = Math.max(0, finished.size() - settings.labelNumThreshold());
            List<Long> gone = new ArrayList<>();
            for (int i = 0; i < finished.size(); i++) {
                if (i < surplus || now - finished.get(i).finishMillis() > keepMillis(finished.get(i))) {
                    gone.add(finished.get(i).id());
                }
            }
            transactions.forget(entry.getKey(), gone);
        }
        for (Map.Entry<Long, OpenTransactions> entry : transactions.openByDatabase()) {
            entry.getValue().forgetAborted(aborted -> now - aborted.finishMillis() > keepMillis(aborted));
        }
    }

    private long keepMillis(Transaction transaction) {
        int seconds = transaction.source().isStreaming()
                ? settings.streamingLabelKeepMaxSecond()
                : settings.labelKeepMaxSecond();
        return seconds * 1000L;
    }

    @Override
    public void close() {
        timeouts.close();
        labels.close();
    }
}
