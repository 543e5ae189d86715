// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.collection.LongObjectHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.wire.BackendAddress;

/**
 * One event loop's connection to one back end. Calls made in one turn of the loop are written together at its end. Replies come in
 * any order. When the connection is lost every call in flight fails at once; the next call opens it again, once the back-off has
 * passed. Lives on its event loop.
 */
final class LookupConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(LookupConnection.class);
    private static final int FIRST_BATCH_BYTES = 4096;
    private static final int MAX_BATCH_BYTES = 256 << 10;

    private final EventLoop loop;
    private final BackendAddress address;
    private final LookupLimits limits;
    private final LookupMetrics metrics;
    private final LongObjectHashMap<LookupCall> pending = new LongObjectHashMap<>();
    private final KnownPlans knownPlans = new KnownPlans();
    private final LookupReplyHead head = new LookupReplyHead();
    private final FrameBytes scratch = new FrameBytes();
    private final Runnable flushTask = this::flush;
    private final Runnable sweepTask = this::sweep;

    private @Nullable Channel channel;
    private boolean connected;
    private long nextId = 1;
    private long bytesInFlight;
    private @Nullable ByteBuf batch;
    private int batchCalls;
    private boolean flushDue;
    private boolean sweeping;
    private long lastUseNanos;
    private long retryAtNanos;
    private long backOffNanos;
    private String lastFailure = "";
    /** The start of a frame whose end has not arrived. */
    private @Nullable ByteBuf partial;

    LookupConnection(EventLoop loop, BackendAddress address, LookupLimits limits, LookupMetrics metrics) {
        this.loop = loop;
        this.address = address;
        this.limits = limits;
        this.metrics = metrics;
    }

    BackendAddress address() {
        return address;
    }

    int callsInFlight() {
        return pending.size();
    }

    /** Sends a call, by the end of this turn of the loop. Its failure may be told before this returns. */
    void send(LookupCall call, long timeoutNanos) {
        long now = System.nanoTime();
        if (pending.size() >= limits.maxCalls() || bytesInFlight >= limits.maxBytes()) {
            call.onFailure(
                    new ThetisException(
                            ErrorCode.RPC_ERROR,
                            address + " is busy: " + pending.size() + " look-ups of " + bytesInFlight
                                    + " bytes wait for it"),
                    false);
            return;
        }
        if (channel == null) {
            if (backOffNanos != 0 && now - retryAtNanos < 0) {
                call.onFailure(
                        new ThetisException(
                                ErrorCode.RPC_ERROR, address + " cannot be reached for look-ups: " + lastFailure),
                        true);
                return;
            }
            connect();
        }
        lastUseNanos = now;
        LookupBody body = call.body();
        boolean withPlan = !knownPlans.contains(body.planHigh(), body.planLow());
        if (withPlan) {
            knownPlans.add(body.planHigh(), body.planLow());
        }
        write(call, withPlan, now + timeoutNanos);
        if (!sweeping) {
            sweeping = true;
            loop.schedule(sweepTask, limits.sweep().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Closes without a way back; calls in flight fail. */
    void close(String reason) {
        lost(reason, false);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        ByteBuf earlier = partial;
        if (earlier != null) {
            // Bytes of one large frame, mostly.
            partial = null;
            in = earlier.writeBytes(in);
            ((ByteBuf) message).release();
        }
        boolean kept = false;
        try {
            readFrames(in);
            if (in.isReadable() && channel != null) {
                kept = earlier != null && in.readerIndex() == 0;
                partial = kept ? in : keep(in);
            }
        } catch (IndexOutOfBoundsException malformed) {
            LOG.warn("malformed look-up reply backend={}", address, malformed);
            lost("malformed reply: " + malformed.getMessage(), true);
        } finally {
            if (!kept) {
                in.release();
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (context.channel() == channel) {
            lost("the connection was closed by the back end", true);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (context.channel() == channel) {
            lost(String.valueOf(cause.getMessage()), true);
        }
    }

    private void write(LookupCall call, boolean withPlan, long deadlineNanos) {
        long id = nextId++;
        int bytes = LookupFrames.size(id, call.body(), withPlan);
        ByteBuf out = batch;
        if (out == null) {
            out = loopAllocate(Math.max(FIRST_BATCH_BYTES, bytes));
            batch = out;
        }
        LookupFrames.write(out, scratch, id, call.body(), withPlan, bytes);
        call.sent(id, deadlineNanos, bytes, withPlan);
        pending.put(id, call);
        bytesInFlight += bytes;
        batchCalls++;
        metrics.calls.increment();
        if (withPlan) {
            metrics.plansSent.increment();
        }
        if (out.readableBytes() >= MAX_BATCH_BYTES) {
            flush();
        } else if (!flushDue && connected) {
            flushDue = true;
            LoopTurns.afterThisTurn(loop, flushTask);
        }
    }

    private ByteBuf loopAllocate(int bytes) {
        Channel open = channel;
        if (open == null) {
            throw new IllegalStateException("no channel to " + address);
        }
        return open.alloc().directBuffer(bytes);
    }

    private void flush() {
        flushDue = false;
        Channel open = channel;
        ByteBuf frames = batch;
        if (open == null || frames == null || !connected) {
            return;
        }
        metrics.batch.record(batchCalls);
        batch = null;
        batchCalls = 0;
        open.writeAndFlush(frames, open.voidPromise());
    }

    private void connect() {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(
                        loop.parent() instanceof EpollEventLoopGroup
                                ? EpollSocketChannel.class
                                : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        limits.connectTimeout().toMillis())
                .handler(this);
        connected = false;
        ChannelFuture opening = bootstrap.connect(address.host(), address.grpcPort());
        Channel opened = opening.channel();
        channel = opened;
        opening.addListener(done -> {
            if (channel != opened) {
                opened.close();
            } else if (done.isSuccess()) {
                connected = true;
                backOffNanos = 0;
                metrics.connections.incrementAndGet();
                flush();
            } else {
                lost(String.valueOf(done.cause().getMessage()), true);
            }
        });
    }

    @Override
    public boolean isSharable() {
        // The handler outlives its channels; only the current one is listened to.
        return true;
    }

    private void lost(String reason, boolean failed) {
        Channel old = channel;
        if (old == null) {
            return;
        }
        channel = null;
        if (connected) {
            connected = false;
            metrics.connections.decrementAndGet();
        }
        knownPlans.clear();
        if (batch != null) {
            batch.release();
            batch = null;
            batchCalls = 0;
        }
        if (partial != null) {
            partial.release();
            partial = null;
        }
        if (failed) {
            metrics.connectionFailures.increment();
            lastFailure = reason;
            backOffNanos = backOffNanos == 0
                    ? limits.firstBackOff().toNanos()
                    : Math.min(2 * backOffNanos, limits.maxBackOff().toNanos());
            retryAtNanos = System.nanoTime() + backOffNanos;
            LOG.info("look-up connection lost backend={} calls={} reason={}", address, pending.size(), reason);
        }
        old.close();
        List<LookupCall> calls = new ArrayList<>(pending.values());
        pending.clear();
        bytesInFlight = 0;
        for (LookupCall call : calls) {
            call.onFailure(
                    new ThetisException(
                            ErrorCode.RPC_ERROR, "look-up at " + address + " failed, UNAVAILABLE: " + reason),
                    failed);
        }
    }

    private void readFrames(ByteBuf in) {
        while (in.readableBytes() >= LookupFrames.HEADER_BYTES) {
            int start = in.readerIndex();
            if (in.getInt(start) != LookupFrames.MAGIC) {
                throw new IndexOutOfBoundsException("not a baidu_std frame");
            }
            long bodyBytes = in.getUnsignedInt(start + 4);
            long metaBytes = in.getUnsignedInt(start + 8);
            if (bodyBytes > limits.maxReplyBytes() || metaBytes > bodyBytes) {
                throw new IndexOutOfBoundsException(
                        "a reply of " + bodyBytes + " bytes with " + metaBytes + " bytes of meta");
            }
            int frameBytes = LookupFrames.HEADER_BYTES + (int) bodyBytes;
            if (in.readableBytes() < frameBytes) {
                return;
            }
            int end = in.writerIndex();
            in.writerIndex(start + frameBytes);
            in.skipBytes(LookupFrames.HEADER_BYTES);
            head.read(in, (int) metaBytes);
            LookupCall call = pending.remove(head.correlationId());
            if (call != null) {
                bytesInFlight -= call.frameBytes();
                answered(call, in);
            }
            if (channel == null) {
                return;
            }
            in.writerIndex(end);
            in.readerIndex(start + frameBytes);
        }
    }

    private void answered(LookupCall call, ByteBuf rows) {
        if (!head.needsPlan()) {
            try {
                call.onReply(head, rows);
            } catch (RuntimeException bug) {
                // Nobody else would tell the client, and the other calls of this connection are not to blame.
                LOG.error("look-up reply not taken backend={}", address, bug);
                call.onFailure(
                        new ThetisException(ErrorCode.INTERNAL, "internal error: " + bug.getMessage(), bug), false);
            }
            return;
        }
        if (call.planSent() || channel == null) {
            call.onFailure(
                    new ThetisException(ErrorCode.INTERNAL, address + " did not take the plan of a look-up"), false);
            return;
        }
        // It forgot the plan, or never had it: the same call with it, under the same deadline.
        write(call, true, call.deadlineNanos());
    }

    /** Sets an incomplete frame aside, in a buffer that takes the whole of it. */
    private static ByteBuf keep(ByteBuf in) {
        int have = in.readableBytes();
        int whole = have < LookupFrames.HEADER_BYTES
                ? FIRST_BATCH_BYTES
                : LookupFrames.HEADER_BYTES + (int) in.getUnsignedInt(in.readerIndex() + 4);
        // Grows with what arrives: a length that is announced is not yet a reason to take its memory.
        ByteBuf kept = in.alloc().directBuffer(Math.max(have, Math.min(whole, MAX_BATCH_BYTES)));
        return kept.writeBytes(in);
    }

    /** Fails calls whose time is up and closes a connection nobody uses. Runs while the connection is open or calls wait. */
    private void sweep() {
        long now = System.nanoTime();
        List<LookupCall> late = List.of();
        for (LookupCall call : pending.values()) {
            if (call.deadlineNanos() - now <= 0) {
                if (late.isEmpty()) {
                    late = new ArrayList<>();
                }
                late.add(call);
            }
        }
        for (LookupCall call : late) {
            if (pending.remove(call.correlationId()) != null) {
                bytesInFlight -= call.frameBytes();
                metrics.timeouts.increment();
                call.onFailure(
                        new ThetisException(ErrorCode.TIMEOUT, "look-up at " + address + " passed its deadline"),
                        false);
            }
        }
        if (pending.isEmpty() && now - lastUseNanos > limits.idle().toNanos()) {
            lost("idle", false);
        }
        if (channel == null && pending.isEmpty()) {
            sweeping = false;
            return;
        }
        long wait = pending.isEmpty()
                ? Math.max(limits.sweep().toNanos(), limits.idle().toNanos() / 8)
                : limits.sweep().toNanos();
        loop.schedule(sweepTask, Math.min(wait, 50 * limits.sweep().toNanos()), TimeUnit.NANOSECONDS);
    }
}
