// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.query.result.ResultColumn;
import org.thetis.query.schedule.RowConsumer;
import org.thetis.query.schedule.RowStream;

/**
 * Sends one result set. The next chunk is asked for only while the socket takes bytes, so a client that does not read costs one
 * chunk of memory; past net_write_timeout it costs its connection.
 */
final class ResultSender implements RowConsumer {
    private final Channel channel;
    private final PacketWriter writer;
    private final List<ResultColumn> columns;
    private final RowStream stream;
    private final Object lock = new Object();

    /** Whether the next chunk waits for the socket; guards the race between a full buffer and its draining. */
    @GuardedBy("lock")
    private boolean parked;

    /** Rows come from one thread, a kill from another: whole packets of one of them at a time, and nothing after the last. */
    @GuardedBy("lock")
    private boolean ended;

    private boolean silent;
    private boolean moreResults;

    @GuardedBy("lock")
    private boolean begun;

    private int writeTimeoutSeconds;
    private Consumer<Boolean> finished = ignored -> {};
    private @Nullable ScheduledFuture<?> writeTimer;

    ResultSender(Channel channel, PacketWriter writer, List<ResultColumn> columns, RowStream stream) {
        this.channel = channel;
        this.writer = writer;
        this.columns = columns;
        this.stream = stream;
    }

    /**
     * Starts sending. With `send` false the rows are read and dropped, as for the inner results of a text whose client takes one
     * result only. `whenFinished` gets whether all went well.
     */
    void start(boolean send, boolean more, int timeoutSeconds, Consumer<Boolean> whenFinished) {
        silent = !send;
        moreResults = more;
        writeTimeoutSeconds = timeoutSeconds;
        finished = whenFinished;
        try {
            stream.open(this);
            stream.request();
        } catch (ThetisException failure) {
            onFailure(failure);
        }
    }

    @Override
    public void onRows(ByteString packets, long numRows) {
        synchronized (lock) {
            if (ended) {
                return;
            }
            begin();
            if (!silent) {
                writer.relay(packets);
                writer.flush();
            }
        }
        if (silent || channel.isWritable()) {
            stream.request();
            return;
        }
        synchronized (lock) {
            parked = true;
        }
        channel.eventLoop().execute(this::watchWriting);
        // The buffer may have drained before we parked; then nobody else would wake us.
        if (channel.isWritable()) {
            writabilityChanged(true);
        }
    }

    @Override
    public void onEnd() {
        synchronized (lock) {
            if (ended) {
                return;
            }
            ended = true;
            begin();
            if (!silent) {
                ByteBuf out = writer.allocate();
                Replies.eof(out, moreResults);
                writer.writeAndFlush(out);
            }
        }
        finished.accept(true);
    }

    @Override
    public void onFailure(ThetisException failure) {
        synchronized (lock) {
            if (ended) {
                return;
            }
            ended = true;
            ByteBuf out = writer.allocate();
            Replies.error(out, failure);
            writer.writeAndFlush(out);
        }
        finished.accept(false);
    }

    /** Called on the event loop. */
    void writabilityChanged(boolean writable) {
        if (!writable) {
            return;
        }
        synchronized (lock) {
            if (!parked) {
                return;
            }
            parked = false;
        }
        stream.request();
    }

    void clientLeft() {
        stream.cancel(new ThetisException(ErrorCode.CANCELLED, "client closed the connection"));
    }

    /** Column count, definitions and EOF, ahead of the first row: a failure before it is a plain error reply. */
    @GuardedBy("lock")
    private void begin() {
        if (begun || silent) {
            return;
        }
        begun = true;
        ByteBuf count = writer.allocate();
        ProtocolBytes.writeLengthEncoded(count, columns.size());
        writer.write(count);
        for (ResultColumn column : columns) {
            ByteBuf definition = writer.allocate();
            ColumnDefinitions.write(definition, column, false);
            writer.write(definition);
        }
        ByteBuf end = writer.allocate();
        Replies.eof(end, moreResults);
        writer.write(end);
    }

    /** Closes the connection when the client has read nothing for too long. Runs on the event loop. */
    private void watchWriting() {
        ScheduledFuture<?> running = writeTimer;
        if (running != null && !running.isDone()) {
            return;
        }
        long before = channel.bytesBeforeWritable();
        writeTimer = channel.eventLoop()
                .schedule(
                        () -> {
                            boolean stuck;
                            synchronized (lock) {
                                stuck = parked;
                            }
                            if (stuck && channel.bytesBeforeWritable() >= before) {
                                channel.close();
                            }
                        },
                        Math.max(1, writeTimeoutSeconds),
                        TimeUnit.SECONDS);
    }
}
