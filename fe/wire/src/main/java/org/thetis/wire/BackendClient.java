// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire;

import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.wire.proto.CancelRequest;
import org.thetis.wire.proto.FetchRequest;
import org.thetis.wire.proto.FragmentServiceGrpc;
import org.thetis.wire.proto.FragmentServiceGrpc.FragmentServiceStub;
import org.thetis.wire.proto.PrepareRequest;
import org.thetis.wire.proto.ResultChunk;
import org.thetis.wire.proto.StartRequest;
import org.thetis.wire.proto.StatusReply;

/**
 * Asynchronous calls to one back end's fragment service. Control calls and result streams travel on different channels, so a
 * bulk result never delays a cancel. Thread-safe; every call carries a deadline; failures arrive as {@link ThetisException}.
 */
public final class BackendClient {
    private final BackendAddress address;
    private final ManagedChannel control;
    private final ManagedChannel bulk;

    BackendClient(BackendAddress address, ManagedChannel control, ManagedChannel bulk) {
        this.address = address;
        this.control = control;
        this.bulk = bulk;
    }

    public BackendAddress address() {
        return address;
    }

    /** Hands a back end its part of a plan. Completes with success or fails with the back end's reason. */
    public CompletableFuture<Void> prepare(PrepareRequest request, Duration deadline) {
        return unary("prepare", deadline, request, FragmentServiceStub::prepare);
    }

    /** Opens the gate of a prepared query. */
    public CompletableFuture<Void> start(StartRequest request, Duration deadline) {
        return unary("start", deadline, request, FragmentServiceStub::start);
    }

    /** Ends a query on this back end; harmless when it is already gone. */
    public CompletableFuture<Void> cancel(CancelRequest request, Duration deadline) {
        return unary("cancel", deadline, request, FragmentServiceStub::cancel);
    }

    /** Opens the result stream of a query. Nothing arrives before the first {@link ResultSubscription#request}. */
    public ResultSubscription fetch(FetchRequest request, Duration deadline, ResultListener listener) {
        FetchObserver observer = new FetchObserver(listener);
        FragmentServiceGrpc.newStub(bulk)
                .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                .fetch(request, observer);
        return observer;
    }

    void close() {
        control.shutdownNow();
        bulk.shutdownNow();
    }

    private <T> CompletableFuture<Void> unary(String call, Duration deadline, T request, UnaryCall<T> method) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        FragmentServiceStub stub = FragmentServiceGrpc.newStub(control)
                .withDeadlineAfter(Math.max(1, deadline.toMillis()), TimeUnit.MILLISECONDS);
        method.invoke(stub, request, new UnaryObserver(result, failure -> translate(call, failure)));
        return result;
    }

    /** Turns a transport failure into an error that says which call to which back end failed. */
    private ThetisException translate(String call, Throwable failure) {
        return RpcFailures.translate(call + " on " + address, failure);
    }

    @FunctionalInterface
    private interface UnaryCall<T> {
        void invoke(FragmentServiceStub stub, T request, StreamObserver<StatusReply> observer);
    }

    /** Completes a future from a call that answers with one status. */
    private record UnaryObserver(
            CompletableFuture<Void> result, java.util.function.Function<Throwable, ThetisException> translator)
            implements StreamObserver<StatusReply> {
        @Override
        public void onNext(StatusReply reply) {
            if (reply.getCode() == 0) {
                result.complete(null);
            } else {
                result.completeExceptionally(RpcFailures.of(reply));
            }
        }

        @Override
        public void onError(Throwable failure) {
            result.completeExceptionally(translator.apply(failure));
        }

        @Override
        public void onCompleted() {
            // A reply without a message is a protocol error; a normal reply has completed the future already.
            result.completeExceptionally(new ThetisException(ErrorCode.RPC_ERROR, "empty reply"));
        }
    }

    /** Feeds a listener under manual flow control. */
    private final class FetchObserver implements ClientResponseObserver<FetchRequest, ResultChunk>, ResultSubscription {
        private final ResultListener listener;
        private final CompletableFuture<ClientCallStreamObserver<FetchRequest>> call = new CompletableFuture<>();

        FetchObserver(ResultListener listener) {
            this.listener = listener;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<FetchRequest> stream) {
            stream.disableAutoRequestWithInitial(0);
            call.complete(stream);
        }

        @Override
        public void onNext(ResultChunk chunk) {
            listener.onChunk(chunk);
        }

        @Override
        public void onError(Throwable failure) {
            listener.onFailure(translate("fetch", failure));
        }

        @Override
        public void onCompleted() {
            listener.onEnd();
        }

        @Override
        public void request(int chunks) {
            whenStarted((stream, ignored) -> stream.request(chunks));
        }

        @Override
        public void cancel(String reason) {
            whenStarted((stream, ignored) -> stream.cancel(reason, null));
        }

        private void whenStarted(BiConsumer<ClientCallStreamObserver<FetchRequest>, Throwable> action) {
            // beforeStart runs inside fetch(), hence before any caller holds this subscription.
            call.whenComplete(action);
        }
    }
}
