// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.TransactionSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.fault.DebugPoints;
import org.thetis.base.metrics.Counter;
import org.thetis.base.metrics.Histogram;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.persist.AbortTransaction;
import org.thetis.catalog.persist.CommitTransaction;
import org.thetis.catalog.persist.ForgetTransactions;
import org.thetis.catalog.persist.PrecommitTransaction;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.snapshot.CatalogWriter;
import org.thetis.catalog.snapshot.DatabaseTransactions;
import org.thetis.cluster.journal.IdAllocator;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.node.NodeListener;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.task.AgentTasks;
import org.thetis.wire.thrift.TabletCommit;

/**
 * The transactions of all databases. Begin touches only memory (a begin lost in a crash is an aborted transaction); a commit is
 * one journal write; visibility follows from publishing and is journalled lazily.
 */
public final class TransactionCoordinator implements TransactionService, NodeListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionCoordinator.class);
    private static final Pattern LABEL = Pattern.compile("[-_:.\\p{L}\\p{N}]+");

    private final TransactionSettings settings;
    private final Journal journal;
    private final CatalogWriter catalog;
    private final IdAllocator ids;
    private final Clock clock;
    private final DebugPoints debugPoints;
    private final Publisher publisher;
    private final FinishedLog finished;
    private final PublishQueue queue;
    private final AbortedCleaner cleaner;
    private final TransactionSweeper sweeper;
    private final ConcurrentHashMap<Long, OpenTransactions> databases = new ConcurrentHashMap<>();
    private final Counter begun;
    private final Counter rejected;
    private final Counter succeeded;
    private final Counter failed;
    private final Histogram latency;

    public TransactionCoordinator(
            TransactionSettings settings,
            Journal journal,
            CatalogWriter catalog,
            IdAllocator ids,
            NodeService nodes,
            AgentTasks tasks,
            Clock clock,
            MetricRegistry metrics,
            DebugPoints debugPoints) {
        this.settings = settings;
        this.journal = journal;
        this.catalog = catalog;
        this.ids = ids;
        this.clock = clock;
        this.publisher = new Publisher(settings, tasks, catalog, debugPoints, clock);
        this.debugPoints = debugPoints;
        this.finished = new FinishedLog(journal, catalog);
        this.queue = new PublishQueue(
                publisher, finished, transaction -> commitCheck().missed(transaction));
        this.cleaner = new AbortedCleaner(nodes, tasks);
        this.sweeper = new TransactionSweeper(settings, this, nodes, clock);
        String help = "Load transactions by outcome.";
        this.begun = metrics.counter("txn_counter", help, "type", "begin");
        this.rejected = metrics.counter("txn_counter", help, "type", "reject");
        this.succeeded = metrics.counter("txn_counter", help, "type", "success");
        this.failed = metrics.counter("txn_counter", help, "type", "failed");
        this.latency = metrics.histogram("txn_exec_latency_ms", "Time from begin to visible.");
        metrics.gauge("txn_num_publishing", "Committed transactions that are not visible yet.", queue::size);
    }

    /** Publishes what was committed before this process started, waiting at most so long for it, and starts the background work. */
    public void start(Duration wait) {
        List<Transaction> committed = catalog.snapshot().runningTransactions().stream()
                .filter(transaction -> transaction.status() == TransactionStatus.COMMITTED)
                .toList();
        queue.resume(committed);
        finished.start();
        cleaner.start();
        sweeper.start();
        long deadline = clock.nanos() + wait.toNanos();
        for (Transaction transaction : committed) {
            Duration left = Duration.ofNanos(Math.max(1, deadline - clock.nanos()));
            TransactionStatus status = awaitVisible(transaction.databaseId(), transaction.id(), left);
            if (status != TransactionStatus.VISIBLE) {
                LOG.warn("A transaction committed before the start is not visible yet: txn={}", transaction.id());
            }
        }
    }

    OpenTransactions open(long databaseId) {
        return databases.computeIfAbsent(databaseId, key -> new OpenTransactions());
    }

    Iterable<Map.Entry<Long, OpenTransactions>> openByDatabase() {
        return databases.entrySet();
    }

    CatalogSnapshot snapshot() {
        return catalog.snapshot();
    }

    @Override
    public Transaction begin(BeginRequest request) {
        checkLabel(request.label());
        if (snapshot().findDatabase(request.databaseId()).isEmpty()) {
            throw new ThetisException(ErrorCode.UNKNOWN_DATABASE, "Unknown database id " + request.databaseId());
        }
        long id = ids.next();
        OpenTransactions open = open(request.databaseId());
        synchronized (open) {
            Optional<Transaction> holder = labelHolder(request.databaseId(), request.label());
            if (holder.isPresent()) {
                Transaction earlier = holder.get();
                if (!request.requestId().isEmpty()
                        && request.requestId().equals(earlier.requestId())
                        && earlier.status() == TransactionStatus.PREPARE) {
                    return earlier;
                }
                rejected.increment();
                throw new LabelExistsException(earlier);
            }
            int limit = settings.defaultDbMaxRunningTxnNum() > 0
                    ? settings.defaultDbMaxRunningTxnNum()
                    : settings.maxRunningTxnNumPerDb();
            int running = numRunning(request.databaseId());
            if (running >= limit) {
                rejected.increment();
                throw ThetisException.of(
                        ErrorCode.TOO_MANY_TRANSACTIONS,
                        "current running txns on db %d is %d, larger than limit %d",
                        request.databaseId(),
                        running,
                        limit);
            }
            Transaction transaction = new Transaction(
                    id,
                    request.databaseId(),
                    request.tableIds(),
                    request.label(),
                    request.coordinator(),
                    request.source(),
                    request.requestId(),
                    TransactionStatus.PREPARE,
                    request.timeoutMillis(),
                    clock.millis(),
                    -1,
                    -1,
                    -1,
                    List.of(),
                    List.of(),
                    "",
                    request.attachment());
            open.add(transaction, request.coordinatorBackend());
            begun.increment();
            return transaction;
        }
    }

    private void checkLabel(String label) {
        int max = settings.labelRegexLength();
        if (label.isEmpty() || label.length() > max || !LABEL.matcher(label).matches()) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Label format error. regex: ^[-_A-Za-z0-9:]{1," + max + "}$, label: " + label);
        }
    }

    /** The transaction that keeps the label from being used. */
    private Optional<Transaction> labelHolder(long databaseId, String label) {
        Optional<Transaction> open = open(databaseId).findOpenLabel(label);
        return open.isPresent()
                ? open
                : snapshot()
                        .transactionsOf(databaseId)
                        .find(label)
                        .filter(known -> known.status() != TransactionStatus.ABORTED);
    }

    @Override
    public void addTable(long databaseId, long transactionId, long tableId) {
        OpenTransactions open = open(databaseId);
        synchronized (open) {
            Transaction known = open.find(transactionId)
                    .map(OpenTransactions.Open::transaction)
                    .orElseThrow(() -> notFound(transactionId));
            if (known.tableIds().contains(tableId)) {
                return;
            }
            List<Long> tables = new ArrayList<>(known.tableIds());
            tables.add(tableId);
            open.replace(new Transaction(
                    known.id(),
                    known.databaseId(),
                    tables,
                    known.label(),
                    known.coordinator(),
                    known.source(),
                    known.requestId(),
                    known.status(),
                    known.timeoutMillis(),
                    known.prepareMillis(),
                    -1,
                    -1,
                    -1,
                    List.of(),
                    List.of(),
                    "",
                    known.attachment()));
        }
    }

    @Override
    public void precommit(
            long databaseId, long transactionId, List<TabletCommit> commits, Map<String, String> attachment) {
        OpenTransactions open = open(databaseId);
        Optional<Transaction> claimed = open.claim(transactionId);
        if (claimed.isEmpty()) {
            Transaction known = get(databaseId, transactionId);
            if (known.status() == TransactionStatus.PRECOMMITTED) {
                return;
            }
            throw wrongState(known, "pre-committed");
        }
        boolean done = false;
        try {
            CommitCheck.Result result = check(claimed.get(), commits);
            long timeout = settings.streamLoadDefaultPrecommitTimeoutSecond() * 1000L;
            journal.appendAndWait(new PrecommitTransaction(claimed.get()
                    .precommitted(result.writes(), merged(claimed.get(), attachment), timeout, clock.millis())));
            done = true;
            open.remove(transactionId);
        } finally {
            if (!done) {
                open.release(transactionId);
            }
        }
    }

    private CommitCheck.Result check(Transaction transaction, List<TabletCommit> commits) {
        return commitCheck().check(transaction.databaseId(), transaction.id(), commits);
    }

    @Override
    public TransactionStatus commit(
            long databaseId,
            long transactionId,
            List<TabletCommit> commits,
            Map<String, String> attachment,
            Duration visibleWait) {
        OpenTransactions open = open(databaseId);
        Optional<Transaction> claimed = open.claim(transactionId);
        if (claimed.isEmpty()) {
            return repeatedCommit(databaseId, transactionId, visibleWait);
        }
        Transaction transaction = claimed.get();
        try {
            commit(transaction, check(transaction, commits), attachment);
        } catch (ThetisException e) {
            abortOpen(transaction, e.text());
            throw e;
        } finally {
            open.remove(transactionId);
        }
        return committed(transaction, visibleWait);
    }

    private TransactionStatus repeatedCommit(long databaseId, long transactionId, Duration visibleWait) {
        Transaction known = get(databaseId, transactionId);
        return switch (known.status()) {
            case COMMITTED, VISIBLE -> awaitVisible(databaseId, transactionId, visibleWait);
            default -> throw wrongState(known, "committed");
        };
    }

    /** Takes versions and journals the commit; durable when this returns. */
    private void commit(Transaction transaction, CommitCheck.Result result, Map<String, String> attachment) {
        CompletableFuture<Void> journalled = queue.commit(
                result.partitions(),
                this::committedVersion,
                (versions, missed) -> {
                    // Asked again in the order of commits: a schema change may have passed the point of no return, a
                    // replica
                    // may have missed what was committed since.
                    commitCheck().recheck(transaction, result, missed);
                    return transaction.committed(
                            versions, result.writes(), merged(transaction, attachment), clock.millis());
                },
                committed -> journal.append(new CommitTransaction(committed)));
        await(journalled);
    }

    private CommitCheck commitCheck() {
        return new CommitCheck(snapshot(), settings.minLoadReplicaNum());
    }

    @Override
    public Map<Long, Long> committedVersions(List<Partition> partitions) {
        return queue.committedVersions(partitions, this::committedVersion);
    }

    private static Map<String, String> merged(Transaction transaction, Map<String, String> attachment) {
        Map<String, String> details = new HashMap<>(transaction.attachment());
        details.putAll(attachment);
        return details;
    }

    private long committedVersion(Partition partition) {
        CatalogSnapshot now = snapshot();
        return now.findTabletPlace(partition.tablets().get(0).id())
                .flatMap(now::findPartition)
                .map(Partition::committedVersion)
                .orElse(partition.committedVersion());
    }

    private static void await(CompletableFuture<Void> journalled) {
        try {
            journalled.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ThetisException(ErrorCode.CANCELLED, "interrupted while the commit was journalled", e);
        } catch (TimeoutException e) {
            throw new ThetisException(
                    ErrorCode.TIMEOUT, "the commit was not journalled in time; its outcome is unknown", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ThetisException known
                    ? known
                    : new ThetisException(ErrorCode.INTERNAL, "the commit could not be journalled: " + e.getCause(), e);
        }
    }

    private TransactionStatus committed(Transaction transaction, Duration visibleWait) {
        succeeded.increment();
        TransactionStatus status = awaitVisible(transaction.databaseId(), transaction.id(), visibleWait);
        latency.record(clock.millis() - transaction.prepareMillis());
        debugPoints.reach("TransactionCoordinator.commit.done", transaction.label());
        return status;
    }

    @Override
    public TransactionStatus commitPrecommitted(long databaseId, long transactionId, Duration visibleWait) {
        Transaction known = get(databaseId, transactionId);
        if (known.status() == TransactionStatus.COMMITTED || known.status() == TransactionStatus.VISIBLE) {
            return awaitVisible(databaseId, transactionId, visibleWait);
        }
        if (known.status() != TransactionStatus.PRECOMMITTED) {
            throw wrongState(known, "committed");
        }
        List<TabletCommit> commits = new ArrayList<>();
        known.tablets().forEach(write -> write.backendIds()
                .forEach(backend -> commits.add(new TabletCommit(write.tabletId(), backend))));
        // Two second phases at once would take two versions, of which one would stay missing.
        OpenTransactions open = open(databaseId);
        if (!open.claimSecondPhase(transactionId)) {
            throw wrongState(known, "committed twice at once");
        }
        try {
            Transaction fresh = get(databaseId, transactionId);
            if (fresh.status() == TransactionStatus.PRECOMMITTED) {
                commit(fresh, check(fresh, commits), fresh.attachment());
            }
        } finally {
            open.releaseSecondPhase(transactionId);
        }
        return committed(known, visibleWait);
    }

    @Override
    public void abort(long databaseId, long transactionId, @Nullable String reason) {
        OpenTransactions open = open(databaseId);
        String why = reason == null ? "user abort" : reason;
        Optional<Transaction> claimed = open.claim(transactionId);
        if (claimed.isPresent()) {
            abortOpen(claimed.get(), why);
            return;
        }
        Transaction known = get(databaseId, transactionId);
        switch (known.status()) {
            case ABORTED -> {}
            case PRECOMMITTED -> {
                if (!open.claimSecondPhase(transactionId)) {
                    throw wrongState(known, "aborted");
                }
                try {
                    journal.appendAndWait(new AbortTransaction(databaseId, transactionId, why, clock.millis()));
                } finally {
                    open.releaseSecondPhase(transactionId);
                }
                failed.increment();
                cleaner.add(transactionId);
            }
            default -> throw wrongState(known, "aborted");
        }
    }

    private void abortOpen(Transaction transaction, String reason) {
        open(transaction.databaseId()).rememberAborted(transaction.aborted(reason, clock.millis()));
        failed.increment();
        cleaner.add(transaction.id());
        LOG.info("A transaction was aborted: txn={} label={} reason={}", transaction.id(), transaction.label(), reason);
    }

    @Override
    public TransactionStatus awaitVisible(long databaseId, long transactionId, Duration wait) {
        Optional<CompletableFuture<Void>> visible = queue.findVisible(transactionId);
        if (visible.isPresent()) {
            try {
                visible.get().get(Math.max(0, wait.toMillis()), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ThetisException(
                        ErrorCode.CANCELLED, "interrupted while waiting for transaction " + transactionId, e);
            } catch (TimeoutException e) {
                return TransactionStatus.COMMITTED;
            } catch (ExecutionException e) {
                LOG.warn("Waiting for a transaction failed: txn={} reason={}", transactionId, e.getMessage());
            }
        }
        return find(databaseId, transactionId).map(Transaction::status).orElse(TransactionStatus.ABORTED);
    }

    @Override
    public Optional<Transaction> find(long databaseId, long transactionId) {
        Optional<Transaction> journalled = snapshot().transactionsOf(databaseId).find(transactionId);
        if (journalled.isPresent()) {
            return journalled;
        }
        OpenTransactions open = open(databaseId);
        return open.find(transactionId)
                .map(OpenTransactions.Open::transaction)
                .or(() -> open.findAborted(transactionId));
    }

    private Transaction get(long databaseId, long transactionId) {
        return find(databaseId, transactionId).orElseThrow(() -> notFound(transactionId));
    }

    @Override
    public Optional<Transaction> findByLabel(long databaseId, String label) {
        Optional<Transaction> open = open(databaseId).findByLabel(label);
        Optional<Transaction> journalled = snapshot().transactionsOf(databaseId).find(label);
        if (open.isPresent() && journalled.isPresent()) {
            return open.get().id() > journalled.get().id() ? open : journalled;
        }
        return open.or(() -> journalled);
    }

    @Override
    public List<Transaction> list(long databaseId) {
        DatabaseTransactions known = snapshot().transactionsOf(databaseId);
        List<Transaction> all = new ArrayList<>(known.byId().values());
        open(databaseId).all().stream()
                .filter(transaction -> known.find(transaction.id()).isEmpty())
                .forEach(all::add);
        all.sort(Comparator.comparingLong(Transaction::id).reversed());
        return all;
    }

    @Override
    public int numRunning(long databaseId) {
        return open(databaseId).numOpen()
                + snapshot().transactionsOf(databaseId).numRunning();
    }

    @Override
    public void cleanLabels(long databaseId, @Nullable String label) {
        open(databaseId)
                .forgetAborted(
                        transaction -> label == null || transaction.label().equals(label));
        List<Long> gone = snapshot().transactionsOf(databaseId).byId().values().stream()
                .filter(known -> known.status().isFinal()
                        && (label == null || known.label().equals(label)))
                .map(Transaction::id)
                .toList();
        forget(databaseId, gone);
    }

    void forget(long databaseId, List<Long> transactionIds) {
        if (!transactionIds.isEmpty()) {
            journal.appendAndWait(new ForgetTransactions(databaseId, transactionIds));
        }
    }

    boolean isLeader() {
        return journal.isLeader();
    }

    @Override
    public void backendRestarted(long backendId) {
        sweeper.abortCoordinatedBy(backendId, "coordinate BE restart");
    }

    private static ThetisException notFound(long transactionId) {
        return new ThetisException(ErrorCode.TRANSACTION_NOT_FOUND, "transaction [" + transactionId + "] not found");
    }

    private static ThetisException wrongState(Transaction transaction, String wanted) {
        return new ThetisException(
                ErrorCode.TRANSACTION_STATE,
                "transaction [" + transaction.id() + "] is already " + transaction.status() + ", it cannot be " + wanted
                        + (transaction.reason().isEmpty() ? "" : ", reason: " + transaction.reason()));
    }

    @Override
    public void close() {
        sweeper.close();
        cleaner.close();
        publisher.close();
        finished.close();
    }
}
