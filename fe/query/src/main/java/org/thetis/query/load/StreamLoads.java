// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.load;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.thetis.base.config.TransactionSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionSource;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.txn.LabelExistsException;
import org.thetis.cluster.txn.TransactionService;
import org.thetis.query.schedule.Coordinator;
import org.thetis.query.session.Cancellation;
import org.thetis.query.session.GlobalVariables;
import org.thetis.query.session.QueryId;
import org.thetis.query.session.Session;
import org.thetis.query.session.SessionVariables;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.lower.LoadTransaction;
import org.thetis.wire.ThriftCodec;
import org.thetis.wire.thrift.ExecPlan;
import org.thetis.wire.thrift.FragmentInstance;
import org.thetis.wire.thrift.FragmentPlan;
import org.thetis.wire.thrift.LoadAbortRequest;
import org.thetis.wire.thrift.LoadBeginReply;
import org.thetis.wire.thrift.LoadBeginRequest;
import org.thetis.wire.thrift.LoadCommitReply;
import org.thetis.wire.thrift.LoadCommitRequest;
import org.thetis.wire.thrift.LoadFinishRequest;
import org.thetis.wire.thrift.QueryOptions;
import org.thetis.wire.thrift.StatusReply;
import org.thetis.wire.thrift.UniqueId;

/**
 * The front end's part of a stream load, which a back end runs: begin gives transaction and plan, commit makes the rows visible.
 * Callers have authenticated the user; an absent one is the cluster itself. Thread-safe.
 */
public final class StreamLoads {
    private static final StatusReply OK = new StatusReply(0);

    private final CatalogReader catalog;
    private final TransactionService transactions;
    private final StreamLoadPlanner planner;
    private final Coordinator coordinator;
    private final GlobalVariables variables;
    private final TransactionSettings settings;
    private final Clock clock;

    public StreamLoads(
            CatalogReader catalog,
            TransactionService transactions,
            StreamLoadPlanner planner,
            Coordinator coordinator,
            GlobalVariables variables,
            TransactionSettings settings,
            Clock clock) {
        this.catalog = catalog;
        this.transactions = transactions;
        this.planner = planner;
        this.coordinator = coordinator;
        this.variables = variables;
        this.settings = settings;
        this.clock = clock;
    }

    /** Starts a load. A label in use is not a failure of the call: the reply names what the label belongs to. */
    public LoadBeginReply begin(LoadBeginRequest request, Optional<UserIdentity> user) {
        Database database = catalog.snapshot().getDatabase(request.getDb());
        OlapTable table = database.getOlapTable(request.getTable());
        user.ifPresent(identity ->
                catalog.snapshot().accessChecker().checkTable(identity, database.name(), table.name(), Privilege.LOAD));
        LoadHeaders headers = new LoadHeaders(request.getHeaders());
        headers.refuseUnsupported();
        int timeoutSeconds = headers.timeoutSeconds(
                settings.streamLoadDefaultTimeoutSecond(), settings.maxStreamLoadTimeoutSecond());
        double maxFilterRatio = headers.maxFilterRatio();
        Transaction transaction;
        try {
            transaction = transactions.begin(new TransactionService.BeginRequest(
                    database.id(),
                    List.of(table.id()),
                    request.getLabel(),
                    "BE: " + request.getBackend_id(),
                    request.getBackend_id(),
                    TransactionSource.BACKEND_STREAMING,
                    requestId(request.getLoad_id()),
                    timeoutSeconds * 1000L,
                    origin(request, user, headers)));
        } catch (LabelExistsException used) {
            LoadBeginReply reply =
                    new LoadBeginReply(new StatusReply(used.code().number()).setMessage(used.text()));
            return reply.setExisting_job_status(used.jobStatus()).setTxn_id(used.transactionId());
        }
        try {
            ExecPlan plan = plan(request, user, database, table, headers, transaction, timeoutSeconds, maxFilterRatio);
            return new LoadBeginReply(OK)
                    .setTxn_id(transaction.id())
                    .setExec_plan(ThriftCodec.write(plan))
                    .setTimeout_ms(timeoutSeconds * 1000L)
                    .setDb_id(database.id())
                    .setTable_id(table.id())
                    .setMax_filter_ratio(maxFilterRatio);
        } catch (RuntimeException failure) {
            transactions.abort(database.id(), transaction.id(), failure.getMessage());
            throw failure;
        }
    }

    /** Commits and waits a while for visibility, or pre-commits the first phase of a two-phase load. */
    public LoadCommitReply commit(LoadCommitRequest request) {
        Map<String, String> attachment = attachment(request);
        if (request.isTwo_phase()) {
            transactions.precommit(request.getDb_id(), request.getTxn_id(), request.getTablets(), attachment);
            return new LoadCommitReply(OK).setVisible(false);
        }
        TransactionStatus status = transactions.commit(
                request.getDb_id(), request.getTxn_id(), request.getTablets(), attachment, visibleWait());
        return new LoadCommitReply(OK).setVisible(status == TransactionStatus.VISIBLE);
    }

    public void abort(LoadAbortRequest request) {
        transactions.abort(request.getDb_id(), request.getTxn_id(), request.getReason());
    }

    /** Second phase, by transaction or label. Connectors match the failure texts. */
    public void finish(LoadFinishRequest request, Optional<UserIdentity> user) {
        Database database = catalog.snapshot().getDatabase(request.getDb());
        user.ifPresent(identity -> catalog.snapshot().accessChecker().checkDatabaseVisible(identity, database.name()));
        Transaction transaction = find(request, database);
        checkLoadRight(transaction, database, user);
        TransactionStatus status = transaction.status();
        if (request.isCommit()) {
            commitSecondPhase(database, transaction, status);
            return;
        }
        if (status == TransactionStatus.COMMITTED || status.isFinal()) {
            throw new ThetisException(
                    ErrorCode.TRANSACTION_STATE,
                    "transaction [" + transaction.id() + "] is already " + shown(status) + ", could not abort.");
        }
        transactions.abort(database.id(), transaction.id(), "User Abort");
    }

    private void commitSecondPhase(Database database, Transaction transaction, TransactionStatus status) {
        switch (status) {
            case PRECOMMITTED -> transactions.commitPrecommitted(database.id(), transaction.id(), visibleWait());
            case ABORTED ->
                throw new ThetisException(
                        ErrorCode.TRANSACTION_STATE,
                        "transaction [" + transaction.id() + "] is already aborted. abort reason: "
                                + transaction.reason());
            case COMMITTED, VISIBLE ->
                throw new ThetisException(
                        ErrorCode.TRANSACTION_STATE,
                        "transaction [" + transaction.id() + "] is already " + status + ", not pre-committed.");
            case PREPARE ->
                throw new ThetisException(
                        ErrorCode.TRANSACTION_STATE,
                        "transaction [" + transaction.id() + "] is prepare, not pre-committed.");
        }
    }

    private Transaction find(LoadFinishRequest request, Database database) {
        if (request.isSetTxn_id() && request.getTxn_id() > 0) {
            return transactions
                    .find(database.id(), request.getTxn_id())
                    .orElseThrow(() -> new ThetisException(
                            ErrorCode.TRANSACTION_NOT_FOUND, "transaction [" + request.getTxn_id() + "] not found"));
        }
        return transactions
                .findByLabel(database.id(), request.getLabel())
                .orElseThrow(() -> new ThetisException(
                        ErrorCode.TRANSACTION_NOT_FOUND,
                        "transaction with label [" + request.getLabel() + "] not found"));
    }

    private void checkLoadRight(Transaction transaction, Database database, Optional<UserIdentity> user) {
        user.ifPresent(identity -> transaction.tableIds().forEach(id -> database.findTable(id)
                .ifPresent(table -> catalog.snapshot()
                        .accessChecker()
                        .checkTable(identity, database.name(), table.name(), Privilege.LOAD))));
    }

    private ExecPlan plan(
            LoadBeginRequest request,
            Optional<UserIdentity> user,
            Database database,
            OlapTable table,
            LoadHeaders headers,
            Transaction transaction,
            int timeoutSeconds,
            double maxFilterRatio) {
        StatementContext context = context(request, user, database, headers);
        LoadTransaction load = new LoadTransaction(
                transaction.id(),
                database.id(),
                request.getLoad_id(),
                timeoutSeconds * 1000L,
                headers.flag("strict_mode"),
                maxFilterRatio);
        FragmentPlan fragment = planner.plan(context, database.name(), table, headers, load);
        QueryOptions options = new QueryOptions(
                context.settings().batchSize(),
                // One body is one stream of rows, whose order a table may depend on.
                1,
                headers.execMemLimit(),
                timeoutSeconds * 1000L,
                context.settings().timeZone(),
                context.startMicros());
        options.setVariables(context.variables().forBackends());
        options.setCheck_overflow_for_decimal(context.settings().checkOverflowForDecimal());
        return new ExecPlan(
                request.getLoad_id(),
                coordinator.epoch().getAsLong(),
                coordinator.address(),
                request.getBackend_id(),
                options,
                List.of(fragment),
                List.of(new FragmentInstance(fragment.getId(), Map.of(), Map.of(), 0)));
    }

    /** A session for planning: the load's user, database and time zone. */
    private StatementContext context(
            LoadBeginRequest request, Optional<UserIdentity> user, Database database, LoadHeaders headers) {
        SessionVariables sessionVariables = new SessionVariables(variables);
        headers.find("timezone")
                .or(() -> headers.find("time_zone"))
                .ifPresent(zone -> sessionVariables.set("time_zone", zone));
        UserIdentity identity = user.orElse(UserIdentity.ROOT);
        String host = request.getAuth().isSetClient_host() ? request.getAuth().getClient_host() : "127.0.0.1";
        Session session =
                new Session(-1, identity, identity.name(), host, 0, clock.millis(), sessionVariables, () -> {});
        session.useDatabase(database.name());
        QueryId queryId =
                new QueryId(request.getLoad_id().getHigh(), request.getLoad_id().getLow());
        return new StatementContext(
                session,
                queryId,
                "stream load " + request.getLabel(),
                Instant.ofEpochMilli(clock.millis()),
                sessionVariables,
                List.of(),
                false,
                new Cancellation());
    }

    private Duration visibleWait() {
        return Duration.ofSeconds(settings.publishVersionTimeoutSecond());
    }

    private static Map<String, String> origin(
            LoadBeginRequest request, Optional<UserIdentity> user, LoadHeaders headers) {
        return Map.of(
                "clientIp",
                request.getAuth().isSetClient_host() ? request.getAuth().getClient_host() : "",
                "user",
                user.map(UserIdentity::name).orElse(""),
                "comment",
                headers.get("comment", ""));
    }

    private static Map<String, String> attachment(LoadCommitRequest request) {
        Map<String, String> details = new HashMap<>();
        details.put("loadedRows", Long.toString(request.getLoaded_rows()));
        details.put("filteredRows", Long.toString(request.getFiltered_rows()));
        details.put("unselectedRows", Long.toString(request.getUnselected_rows()));
        details.put("loadedBytes", Long.toString(request.getLoaded_bytes()));
        if (request.isSetError_url()) {
            details.put("errorUrl", request.getError_url());
        }
        return details;
    }

    private static String requestId(UniqueId id) {
        return Long.toHexString(id.getHigh()) + "-" + Long.toHexString(id.getLow());
    }

    private static String shown(TransactionStatus status) {
        return status == TransactionStatus.ABORTED ? status.name().toLowerCase(Locale.ROOT) : status.name();
    }
}
