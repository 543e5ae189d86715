// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.query.session.Cancellation;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.point.PointCall;
import org.thetis.sql.point.PointPlan;

/** Look-ups for statements that wait for the rows on their own threads. Thread-safe; not for event loops. */
public final class PointReads {
    /** More bytes of rows are read and written better by back ends among themselves. */
    private static final int MAX_BYTES = 1 << 20;

    private final PointLookups lookups;
    private final EventLoopGroup loops;

    public PointReads(PointLookups lookups, EventLoopGroup loops) {
        this.lookups = lookups;
        this.loops = loops;
    }

    /**
     * The rows that are found, as values of the plan's columns; null when they are too many, or a value cannot be told from its text.
     * Fails like the look-up, or when the statement is cancelled or the wait takes too long.
     */
    @Nullable
    List<List<Literal>> read(PointPlan plan, PointCall call, Cancellation cancellation, Duration longest) {
        EventLoop loop = loops.next();
        Collector collector = new Collector();
        loop.execute(() -> {
            PointLookup lookup = lookups.prepare(loop, plan, call, false, collector);
            collector.lookup = lookup;
            if (!collector.done.isDone()) {
                lookup.start();
            }
        });
        cancellation.onCancel(reason -> {
            if (collector.done.completeExceptionally(reason)) {
                loop.execute(collector::abandon);
            }
        });
        byte[] packets = await(collector, loop, longest);
        return packets == null ? null : FoundRows.read(packets, plan.outputs());
    }

    private static byte @Nullable [] await(Collector collector, EventLoop loop, Duration longest) {
        try {
            return collector.done.get(longest.toMillis(), TimeUnit.MILLISECONDS).packets();
        } catch (TimeoutException late) {
            loop.execute(collector::abandon);
            throw new ThetisException(
                    ErrorCode.QUERY_TIMEOUT, "rows were not found within " + longest.toSeconds() + " s", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            loop.execute(collector::abandon);
            throw new ThetisException(ErrorCode.CANCELLED, "interrupted while looking up rows", interrupted);
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof ThetisException known
                    ? known
                    : new ThetisException(ErrorCode.INTERNAL, "a look-up failed", failure.getCause());
        }
    }

    /** @param packets null when there were too many bytes */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Found(byte @Nullable [] packets) {}

    /** Lives on the event loop, but for the future. */
    private static final class Collector implements PointReceiver {
        private final CompletableFuture<Found> done = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private @Nullable PointLookup lookup;

        void abandon() {
            PointLookup running = lookup;
            if (running != null) {
                running.abandon();
            }
        }

        @Override
        public void onRows(ByteBuf packets, int numRows) {
            if (bytes.size() + packets.readableBytes() > MAX_BYTES) {
                abandon();
                done.complete(new Found(null));
                return;
            }
            byte[] copy = new byte[packets.readableBytes()];
            packets.getBytes(packets.readerIndex(), copy);
            bytes.writeBytes(copy);
        }

        @Override
        public void onEnd() {
            done.complete(new Found(bytes.toByteArray()));
        }

        @Override
        public void onFailure(ThetisException failure) {
            done.completeExceptionally(failure);
        }
    }
}
