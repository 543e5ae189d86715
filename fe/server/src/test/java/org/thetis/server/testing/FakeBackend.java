// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.testing;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.query.result.ResultColumn;
import org.thetis.query.result.RowEncoder;
import org.thetis.query.session.QueryId;
import org.thetis.wire.ThriftCodec;
import org.thetis.wire.proto.CancelRequest;
import org.thetis.wire.proto.FetchRequest;
import org.thetis.wire.proto.FragmentServiceGrpc;
import org.thetis.wire.proto.PrepareRequest;
import org.thetis.wire.proto.ResultChunk;
import org.thetis.wire.proto.StartRequest;
import org.thetis.wire.proto.StatusReply;
import org.thetis.wire.thrift.ExecPlan;
import org.thetis.wire.thrift.PlanNode;

/** A back end that knows one thing: numbers("number"="n") gives the rows 0 to n-1 as BIGINT. Counts what it is asked. */
public final class FakeBackend extends FragmentServiceGrpc.FragmentServiceImplBase implements AutoCloseable {
    private static final int ROWS_PER_CHUNK = 1000;

    private final Server server;
    private final Map<String, ExecPlan> plans = new ConcurrentHashMap<>();
    private final AtomicInteger failuresToCome = new AtomicInteger();
    private final AtomicLong sentChunks = new AtomicLong();
    private final List<String> cancelled = new CopyOnWriteArrayList<>();
    private final List<ExecPlan> prepared = new CopyOnWriteArrayList<>();
    private volatile boolean silent;

    public FakeBackend() throws IOException {
        this.server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(this)
                .build()
                .start();
    }

    public int port() {
        return server.getPort();
    }

    /** So many fetches end without a row, as if the process had died. */
    public void failFetches(int times) {
        failuresToCome.set(times);
    }

    /** Fetches are accepted and never answered. */
    public void keepSilent(boolean value) {
        silent = value;
    }

    public long sentChunks() {
        return sentChunks.get();
    }

    public List<String> cancelled() {
        return cancelled;
    }

    public List<ExecPlan> prepared() {
        return prepared;
    }

    @Override
    public void prepare(PrepareRequest request, StreamObserver<StatusReply> reply) {
        ExecPlan plan = ThriftCodec.read(request.getExecPlan().toByteArray(), new ExecPlan());
        prepared.add(plan);
        plans.put(new QueryId(plan.getQuery_id().getHigh(), plan.getQuery_id().getLow()).toString(), plan);
        ok(reply);
    }

    @Override
    public void start(StartRequest request, StreamObserver<StatusReply> reply) {
        ok(reply);
    }

    @Override
    public void cancel(CancelRequest request, StreamObserver<StatusReply> reply) {
        cancelled.add(request.getReason());
        plans.remove(text(request.getQueryId()));
        ok(reply);
    }

    @Override
    public void fetch(FetchRequest request, StreamObserver<ResultChunk> reply) {
        if (silent) {
            return;
        }
        if (failuresToCome.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            reply.onError(io.grpc.Status.UNAVAILABLE.withDescription("gone").asException());
            return;
        }
        ExecPlan plan = plans.get(text(request.getQueryId()));
        if (plan == null) {
            reply.onError(io.grpc.Status.NOT_FOUND.asException());
            return;
        }
        new Sender(plan, (ServerCallStreamObserver<ResultChunk>) reply).start();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private static String text(org.thetis.wire.proto.QueryId id) {
        return new QueryId(id.getHigh(), id.getLow()).toString();
    }

    private static void ok(StreamObserver<StatusReply> reply) {
        reply.onNext(StatusReply.getDefaultInstance());
        reply.onCompleted();
    }

    private static long count(PlanNode node) {
        if (node.getOp().isSetTable_function_scan()) {
            return Long.parseLong(
                    node.getOp().getTable_function_scan().getProperties().get("number"));
        }
        return node.isSetChildren() ? count(node.getChildren().get(0)) : 0;
    }

    /** Sends while the transport takes more, as a real back end does. */
    private final class Sender {
        private final long total;
        private final RowEncoder encoder;
        private final ServerCallStreamObserver<ResultChunk> reply;
        private long next;
        private boolean done;

        Sender(ExecPlan plan, ServerCallStreamObserver<ResultChunk> reply) {
            this.total = count(plan.getFragments().get(0).getRoot());
            boolean binary = plan.getFragments().get(0).getSink().getResult().isBinary_rows();
            this.encoder = new RowEncoder(List.of(ResultColumn.of("number", DataType.BIGINT)), binary);
            this.reply = reply;
        }

        void start() {
            reply.setOnCancelHandler(() -> {
                synchronized (this) {
                    done = true;
                }
            });
            reply.setOnReadyHandler(this::send);
        }

        private synchronized void send() {
            while (!done && reply.isReady()) {
                ResultChunk.Builder chunk = ResultChunk.newBuilder();
                ByteString.Output packets = ByteString.newOutput();
                long end = Math.min(total, next + ROWS_PER_CHUNK);
                chunk.setNumRows(end - next);
                for (; next < end; next++) {
                    append(packets, encoder.encode(row(next)));
                }
                if (next == total) {
                    chunk.setEos(true).setScanRows(total);
                    done = true;
                }
                reply.onNext(chunk.setPackets(packets.toByteString()).build());
                sentChunks.incrementAndGet();
                if (done) {
                    reply.onCompleted();
                }
            }
        }

        private static List<@Nullable String> row(long value) {
            return List.of(Long.toString(value));
        }

        private static void append(ByteString.Output out, byte[] payload) {
            out.write(payload.length);
            out.write(payload.length >>> 8);
            out.write(payload.length >>> 16);
            out.write(0);
            out.write(payload, 0, payload.length);
        }
    }
}
