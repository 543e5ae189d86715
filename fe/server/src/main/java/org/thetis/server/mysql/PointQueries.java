// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.query.point.PointLookup;
import org.thetis.query.point.PointPlans;
import org.thetis.query.point.PointReceiver;
import org.thetis.query.session.Cancellation;
import org.thetis.query.session.InlineStatement;
import org.thetis.query.session.PreparedStatement;
import org.thetis.query.session.QueryId;
import org.thetis.query.session.Session;
import org.thetis.query.session.SqlWarning;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.LookupEvent;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.point.PointCall;
import org.thetis.sql.point.PointPlan;

/**
 * A connection's key look-ups: run where they arrive, without a hand-over to another thread. Whatever is not plain (no plan yet, an
 * open transaction, a cursor, a packet that does not parse) is left to the ordinary path, which also words its errors. Lives on
 * the connection's event loop; only {@link #describe} is called elsewhere.
 */
final class PointQueries implements PointReceiver, InlineStatement {
    private static final Logger LOG = LoggerFactory.getLogger(PointQueries.class);
    private static final int LARGE = 64 << 10;
    private static final int EOF_BYTES = PacketWriter.HEADER + 5;
    private static final int EXECUTE_HEAD = 10;
    private static final byte[] NO_BYTES = new byte[0];

    private final PointServices services;
    private final Consumer<LookupEvent> audit;
    private final MysqlServices front;
    private final Session session;
    private final Channel channel;
    private final PacketWriter writer;
    private final Runnable done;
    private final long idHigh = ThreadLocalRandom.current().nextLong();
    private long nextId = ThreadLocalRandom.current().nextLong();

    private @Nullable PointPlan plan;
    private @Nullable PointLookup lookup;
    private List<Literal> parameters = List.of();
    private String sql = "";
    private boolean binaryRows;
    private QueryId queryId = new QueryId(idHigh, nextId);
    private long startMillis;
    private long startNanos;
    private long returnedRows;

    /** From the session's being told of a look-up to its being told of the end. */
    private boolean running;

    /** What replies of the last plan begin with. */
    private byte[] head = NO_BYTES;

    private @Nullable PointPlan headPlan;
    private int sequence;
    private @Nullable ByteBuf out;
    private final List<ByteBuf> before = new ArrayList<>(0);

    /** @param done called on the event loop when a reply is written, not flushed */
    PointQueries(
            PointServices services,
            MysqlServices front,
            Session session,
            Channel channel,
            PacketWriter writer,
            Runnable done) {
        this.services = services;
        this.audit = services.audit.lookupsOf(session);
        this.front = front;
        this.session = session;
        this.channel = channel;
        this.writer = writer;
        this.done = done;
    }

    /** Starts a command if it is a look-up whose plan is known; gives whether it did. The payload stays the caller's. */
    boolean start(ByteBuf payload) {
        if (!payload.isReadable() || session.openTransaction().isPresent()) {
            return false;
        }
        int begin = payload.readerIndex();
        boolean started =
                switch (payload.getUnsignedByte(begin)) {
                    case Command.STMT_EXECUTE -> startPrepared(payload);
                    case Command.QUERY -> startText(payload);
                    default -> false;
                };
        if (!started) {
            payload.readerIndex(begin);
        }
        return started;
    }

    /** The client is gone, or a bug ended its look-up: what is in flight is nobody's any more. */
    void abandon() {
        if (!running) {
            return;
        }
        running = false;
        PointLookup started = lookup;
        if (started != null) {
            started.abandon();
            lookup = null;
        }
        dropRows();
        long elapsedMillis = (System.nanoTime() - startNanos) / 1_000_000;
        session.end(startMillis + elapsedMillis);
        services.failures.increment();
        services.audit.count(elapsedMillis, true);
    }

    private boolean startPrepared(ByteBuf payload) {
        if (payload.readableBytes() < EXECUTE_HEAD) {
            return false;
        }
        int id = payload.getIntLE(payload.readerIndex() + 1);
        boolean cursor = payload.getByte(payload.readerIndex() + 5) != 0;
        PreparedStatement statement = session.prepared().find(id).orElse(null);
        if (statement == null || cursor) {
            return false;
        }
        CatalogSnapshot now = front.catalog().snapshot();
        PointPlan found = services.plans.ofPrepared(session, statement, now);
        if (found == null) {
            return false;
        }
        payload.skipBytes(EXECUTE_HEAD);
        List<Literal> values;
        PointCall call;
        try {
            values = BinaryParameters.read(payload, statement);
            call = found.accepts(values) ? found.bind(now, values) : null;
        } catch (ThetisException wrong) {
            // The ordinary path comes to the same and tells the client.
            return false;
        }
        if (call == null) {
            return false;
        }
        statement.clearLongData();
        services.prepared.increment();
        run(found, call, values, statement.sql(), true, "Execute");
        return true;
    }

    private boolean startText(ByteBuf payload) {
        payload.skipBytes(1);
        String text = CommandExecutor.text(payload);
        CatalogSnapshot now = front.catalog().snapshot();
        PointPlans.TextMatch match;
        PointCall call;
        try {
            match = services.plans.ofText(session, text, now);
            call = match == null ? null : match.plan().bind(now, match.parameters());
        } catch (ThetisException wrong) {
            return false;
        }
        if (match == null || call == null) {
            return false;
        }
        services.text.increment();
        run(match.plan(), call, match.parameters(), text, false, "Query");
        return true;
    }

    private void run(
            PointPlan found, PointCall call, List<Literal> values, String text, boolean binary, String command) {
        plan = found;
        parameters = values;
        sql = text;
        binaryRows = binary;
        queryId = new QueryId(idHigh, nextId++);
        startMillis = front.clock().millis();
        startNanos = System.nanoTime();
        returnedRows = 0;
        sequence = ReplyHeads.nextSequence(found);
        running = true;
        session.beginInline(this, queryId, command, startMillis);
        PointLookup started = services.lookups.prepare(channel.eventLoop(), found, call, binary, this);
        lookup = started;
        started.start();
    }

    @Override
    public void onRows(ByteBuf packets, int numRows) {
        returnedRows += numRows;
        int length = packets.readableBytes();
        if (length > LARGE) {
            // Relayed as they are: copying would cost more than the second buffer of the write.
            patch(packets, packets.readerIndex(), length);
            if (out != null || before.isEmpty()) {
                before.add(rows(0));
            }
            before.add(packets.readRetainedSlice(length));
            out = null;
            return;
        }
        ByteBuf target = rows(length);
        int start = target.writerIndex();
        target.writeBytes(packets);
        patch(target, start, length);
    }

    @Override
    public void onEnd() {
        lookup = null;
        ByteBuf last = rows(0);
        last.writeMediumLE(EOF_BYTES - PacketWriter.HEADER).writeByte(sequence);
        Replies.eof(last, false);
        for (int i = 0; i < before.size(); i++) {
            channel.write(before.get(i), channel.voidPromise());
        }
        before.clear();
        channel.write(last, channel.voidPromise());
        out = null;
        ended("EOF", null);
    }

    @Override
    public void onFailure(ThetisException failure) {
        lookup = null;
        dropRows();
        session.addWarning(SqlWarning.error(failure));
        ByteBuf error = writer.allocate();
        Replies.error(error, failure);
        writer.write(error);
        services.failures.increment();
        ended("ERR", failure);
    }

    @Override
    public StatementContext describe() {
        QueryId id = queryId;
        Cancellation cancellation = new Cancellation();
        cancellation.onCancel(reason -> channel.eventLoop().execute(() -> {
            PointLookup started = lookup;
            if (started != null && queryId.equals(id)) {
                started.abandon();
                onFailure(reason);
            }
        }));
        return new StatementContext(
                session,
                id,
                sql,
                Instant.ofEpochMilli(startMillis),
                session.variables(),
                parameters,
                binaryRows,
                cancellation);
    }

    /** The buffer rows go to, begun with the head; with room for `length` more bytes and the end. */
    private ByteBuf rows(int length) {
        ByteBuf target = out;
        if (target != null) {
            return target;
        }
        PointPlan current = plan;
        if (current == null) {
            throw new IllegalStateException("rows without a look-up");
        }
        byte[] begin = before.isEmpty() ? headOf(current) : NO_BYTES;
        target = channel.alloc().directBuffer(begin.length + length + EOF_BYTES);
        target.writeBytes(begin);
        out = target;
        return target;
    }

    private byte[] headOf(PointPlan current) {
        if (current != headPlan) {
            head = services.heads.of(current);
            headPlan = current;
        }
        return head;
    }

    /** Gives packets their sequence numbers. */
    private void patch(ByteBuf packets, int start, int length) {
        int offset = start;
        int end = start + length;
        int next = sequence;
        while (offset + PacketWriter.HEADER <= end) {
            int payload = packets.getUnsignedMediumLE(offset);
            packets.setByte(offset + PacketWriter.HEADER - 1, next++);
            offset += PacketWriter.HEADER + payload;
        }
        sequence = next & 0xFF;
        if (offset != end) {
            throw new ThetisException(ErrorCode.INTERNAL, "the rows of a look-up end inside a packet");
        }
    }

    private void dropRows() {
        before.forEach(ByteBuf::release);
        before.clear();
        ByteBuf begun = out;
        if (begun != null) {
            begun.release();
            out = null;
        }
    }

    private void ended(String state, @Nullable ThetisException failure) {
        long nowNanos = System.nanoTime();
        long elapsedMillis = (nowNanos - startNanos) / 1_000_000;
        services.latency.record((nowNanos - startNanos) / 1000);
        running = false;
        session.end(startMillis + elapsedMillis);
        try {
            tellAudit(state, failure, elapsedMillis);
        } catch (RuntimeException bug) {
            // The reply is written: its client must not wait for the log.
            LOG.error("a look-up is not in the audit log query_id={}", queryId, bug);
        }
        parameters = List.of();
        done.run();
    }

    private void tellAudit(String state, @Nullable ThetisException failure, long elapsedMillis) {
        if (services.audit.wants(session, binaryRows)) {
            audit.accept(new LookupEvent(
                    queryId,
                    sql,
                    binaryRows,
                    state,
                    failure == null ? 0 : failure.code().mysqlCode(),
                    failure == null ? "" : failure.text(),
                    startMillis,
                    elapsedMillis,
                    returnedRows));
        } else {
            services.audit.count(elapsedMillis, failure != null);
        }
    }
}
