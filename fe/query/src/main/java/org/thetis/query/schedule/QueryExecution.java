// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.fault.DebugPoints;
import org.thetis.query.session.QueryId;
import org.thetis.sql.lower.BackendPlan;
import org.thetis.wire.BackendAddress;
import org.thetis.wire.BackendClient;
import org.thetis.wire.BackendClients;
import org.thetis.wire.ResultListener;
import org.thetis.wire.ResultSubscription;
import org.thetis.wire.RpcFailures;
import org.thetis.wire.ThriftCodec;
import org.thetis.wire.proto.CancelRequest;
import org.thetis.wire.proto.FetchRequest;
import org.thetis.wire.proto.PrepareRequest;
import org.thetis.wire.proto.ResultChunk;
import org.thetis.wire.proto.StartRequest;
import org.thetis.wire.thrift.BackendDesc;
import org.thetis.wire.thrift.ExecPlan;
import org.thetis.wire.thrift.QueryOptions;

/**
 * One attempt to run a distributed plan: PREPARE everywhere, START everywhere, then results from the back ends that have a sink
 * for the front end. After start no thread waits: chunks move from the back end's stream to the consumer as it asks. The others are
 * watched by streams of the same kind: one that fails or dies may have nobody else to tell, and those that wait for its rows would
 * wait until the deadline. Whatever ends the attempt early also cancels it on every back end.
 */
public final class QueryExecution implements RowStream {
    private static final Duration CAUSE_WAIT = Duration.ofMillis(500);
    private static final Duration CANCEL_DEADLINE = Duration.ofSeconds(5);

    private final QueryId queryId;
    private final List<BackendPlan> plans;
    private final QueryOptions options;
    private final Coordinator coordinator;
    private final BackendClients clients;
    private final BackendBlackList blackList;
    private final DebugPoints debugPoints;
    private final Duration rpcDeadline;
    private final QueryCounters counters;
    private final Executor executor;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Why it ended before it was opened, for the consumer that comes later; guarded by this. */
    private @Nullable ThetisException failedEarly;

    /** The best reason so far of those that may have a better one behind them; guarded by this. */
    private @Nullable ThetisException likelyCause;

    private final List<Source> sources = new CopyOnWriteArrayList<>();
    private final List<Source> watched = new CopyOnWriteArrayList<>();

    /** Set by open(), before any request. */
    private @Nullable RowConsumer consumer;

    private int current;

    QueryExecution(
            QueryId queryId,
            List<BackendPlan> plans,
            QueryOptions options,
            QueryServices services,
            QueryCounters counters) {
        this.queryId = queryId;
        this.plans = plans;
        this.options = options;
        this.coordinator = services.coordinator();
        this.clients = services.clients();
        this.blackList = services.blackList();
        this.debugPoints = services.debugPoints();
        this.rpcDeadline = Duration.ofMillis(services.settings().remoteFragmentExecTimeoutMs());
        this.counters = counters;
        this.executor = services.executor();
    }

    /**
     * Hands out the plan and opens its gates. Blocks the caller, at most for the RPC deadline. On failure nothing is left behind
     * on any back end.
     */
    public void start() {
        try {
            boolean atOnce = plans.size() == 1;
            await(plans.stream().map(plan -> prepare(plan, atOnce)).toList());
            if (!atOnce && debugPoints.hit("coordinator.skip_start").isEmpty()) {
                StartRequest request =
                        StartRequest.newBuilder().setQueryId(queryId.toProto()).build();
                await(plans.stream()
                        .map(plan -> client(plan)
                                .start(request, rpcDeadline)
                                .whenComplete((ignored, failure) -> noteFailure(plan, failure)))
                        .toList());
            }
        } catch (ThetisException failure) {
            ended.set(true);
            cancelEverywhere(failure);
            throw failure;
        }
    }

    @Override
    public void open(RowConsumer rowConsumer) {
        ThetisException early;
        synchronized (this) {
            consumer = rowConsumer;
            early = failedEarly;
        }
        if (early != null) {
            rowConsumer.onFailure(early);
            return;
        }
        if (plans.stream().noneMatch(QueryExecution::answersFrontEnd)) {
            throw new ThetisException(ErrorCode.INTERNAL, "plan of query " + queryId + " gives the front end nothing");
        }
        Duration deadline = Duration.ofMillis(options.getTimeout_ms()).plus(CANCEL_DEADLINE);
        FetchRequest request =
                FetchRequest.newBuilder().setQueryId(queryId.toProto()).build();
        for (BackendPlan plan : plans) {
            boolean answers = answersFrontEnd(plan);
            Source source = new Source(plan, answers);
            (answers ? sources : watched).add(source);
            source.subscription = client(plan).fetch(request, deadline, source);
        }
        if (ended.get()) {
            // What ended it saw only the streams that were open by then.
            closeStreams("ended while its streams were opened");
            return;
        }
        // Only now: a failure ends all of them.
        watched.forEach(source -> Objects.requireNonNull(source.subscription).request(1));
    }

    @Override
    public void request() {
        Source source;
        synchronized (this) {
            if (sources.isEmpty()) {
                return;
            }
            source = sources.get(Math.min(current, sources.size() - 1));
        }
        Objects.requireNonNull(source.subscription).request(1);
    }

    /** Asks every source at once; for loads, whose sources send counters only. */
    public void requestAll() {
        sources.forEach(source -> Objects.requireNonNull(source.subscription).request(Integer.MAX_VALUE));
    }

    @Override
    public void cancel(ThetisException reason) {
        fail(reason);
    }

    private CompletableFuture<Void> prepare(BackendPlan plan, boolean start) {
        ExecPlan message =
                plan.toExecPlan(queryId.toThrift(), coordinator.epoch().getAsLong(), coordinator.address(), options);
        PrepareRequest request = PrepareRequest.newBuilder()
                .setExecPlan(UnsafeByteOperations.unsafeWrap(ThriftCodec.write(message)))
                .setStart(start)
                .build();
        return client(plan)
                .prepare(request, rpcDeadline)
                .whenComplete((ignored, failure) -> noteFailure(plan, failure));
    }

    private void noteFailure(BackendPlan plan, @Nullable Throwable failure) {
        if (failure instanceof ThetisException known
                && (known.code() == ErrorCode.RPC_ERROR || known.code() == ErrorCode.CORRUPTION)) {
            // Of corrupt bytes the report names the tablet; until it comes, another attempt goes to other replicas.
            blackList.add(plan.backend().getId(), known.text());
        }
    }

    private BackendClient client(BackendPlan plan) {
        BackendDesc backend = plan.backend();
        return clients.get(new BackendAddress(backend.getId(), backend.getHost(), backend.getBrpc_port()));
    }

    private static boolean answersFrontEnd(BackendPlan plan) {
        return plan.fragments().stream()
                .anyMatch(fragment ->
                        fragment.getSink().isSetResult() || fragment.getSink().isSetTable());
    }

    private static void await(List<CompletableFuture<Void>> calls) {
        try {
            CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new)).join();
        } catch (CompletionException failure) {
            // Prefer a back end's own reason over the transport's when several calls failed.
            ThetisException chosen = null;
            for (CompletableFuture<Void> call : calls) {
                ThetisException reason = call.handle((ignored, why) -> why == null ? null : asThetis(why))
                        .join();
                if (reason != null && (chosen == null || chosen.code() == ErrorCode.RPC_ERROR)) {
                    chosen = reason;
                }
            }
            throw chosen == null ? asThetis(failure) : chosen;
        }
    }

    private static ThetisException asThetis(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof ThetisException known
                ? known
                : new ThetisException(ErrorCode.INTERNAL, String.valueOf(cause.getMessage()), cause);
    }

    private void finishOne() {
        boolean all;
        synchronized (this) {
            current++;
            all = current >= sources.size();
        }
        RowConsumer target = Objects.requireNonNull(consumer);
        if (!all) {
            request();
        } else if (ended.compareAndSet(false, true)) {
            target.onEnd();
        }
    }

    /**
     * A back end that only says it was cancelled, or whose stream just ends, was pulled along by another's failure, which is the
     * reason to report and on its way.
     */
    private void failWithCause(ThetisException reason) {
        boolean pulledAlong = reason.code() == ErrorCode.CANCELLED || reason.code() == ErrorCode.RPC_ERROR;
        if (!pulledAlong || plans.size() == 1) {
            fail(reason);
            return;
        }
        synchronized (this) {
            ThetisException before = likelyCause;
            // A lost connection says more than a cancellation.
            if (before == null || before.code() == ErrorCode.CANCELLED) {
                likelyCause = reason;
            }
            if (before != null) {
                return;
            }
        }
        CompletableFuture.delayedExecutor(CAUSE_WAIT.toMillis(), TimeUnit.MILLISECONDS, executor)
                .execute(() -> {
                    ThetisException cause;
                    synchronized (this) {
                        cause = Objects.requireNonNull(likelyCause);
                    }
                    fail(cause);
                });
    }

    private void fail(ThetisException reason) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        cancelEverywhere(reason);
        closeStreams(reason.text());
        RowConsumer target;
        synchronized (this) {
            target = consumer;
            failedEarly = target == null ? reason : null;
        }
        if (target != null) {
            target.onFailure(reason);
        }
    }

    private void closeStreams(String reason) {
        Stream.concat(sources.stream(), watched.stream()).forEach(source -> {
            ResultSubscription subscription = source.subscription;
            if (subscription != null) {
                subscription.cancel(reason);
            }
        });
    }

    private void cancelEverywhere(ThetisException reason) {
        CancelRequest request = CancelRequest.newBuilder()
                .setQueryId(queryId.toProto())
                .setCode(reason.code().number())
                .setReason(reason.text())
                .build();
        // Best effort: a back end that cannot be reached ends the query itself when its deadline passes.
        plans.forEach(plan -> client(plan).cancel(request, CANCEL_DEADLINE));
    }

    /** The result stream of one back end. */
    private final class Source implements ResultListener {
        private final BackendPlan plan;

        /** Its end is one of those that make the end of the query. */
        private final boolean answers;

        private @Nullable ResultSubscription subscription;
        private boolean complete;

        Source(BackendPlan plan, boolean answers) {
            this.plan = plan;
            this.answers = answers;
        }

        @Override
        public void onChunk(ResultChunk chunk) {
            if (chunk.hasStatus() && chunk.getStatus().getCode() != 0) {
                ThetisException failure = RpcFailures.of(chunk.getStatus());
                complete = true; // What its stream does afterwards is no news.
                noteFailure(plan, failure);
                failWithCause(failure);
                return;
            }
            ByteString packets = chunk.getPackets();
            if (chunk.getEos()) {
                complete = true;
                counters.addFinal(chunk);
            }
            if (!packets.isEmpty()) {
                counters.addReturnedRows(chunk.getNumRows());
                if (!ended.get()) {
                    Objects.requireNonNull(consumer).onRows(packets, chunk.getNumRows());
                }
            }
            if (complete && answers) {
                finishOne();
            } else if (!complete && packets.isEmpty()) {
                // A chunk without rows does not use up the consumer's request.
                Objects.requireNonNull(subscription).request(1);
            }
        }

        @Override
        public void onEnd() {
            if (!complete) {
                failWithCause(new ThetisException(
                        ErrorCode.RPC_ERROR,
                        "result of backend " + plan.backend().getId() + " ended early"));
            }
        }

        @Override
        public void onFailure(ThetisException failure) {
            if (complete) {
                return;
            }
            noteFailure(plan, failure);
            failWithCause(failure);
        }
    }
}
