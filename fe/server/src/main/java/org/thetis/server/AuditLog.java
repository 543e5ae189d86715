// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.QuerySettings;
import org.thetis.base.metrics.Counter;
import org.thetis.base.metrics.Histogram;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.AuditEvent;
import org.thetis.query.statement.AuditSink;

/**
 * Writes one line per finished statement to the logger `audit`, and counts statements for the metrics. Lines of event loops are written
 * many at a time by a thread of this object; when it falls too far behind they are dropped and counted. Thread-safe.
 */
final class AuditLog implements AuditSink, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");

    /** Lines that may wait for the thread. */
    static final int MAX_WAITING = 1 << 16;

    /** Characters given to the logger at once, about: each time costs a write to the file. */
    private static final int BATCH = 64 << 10;

    /** The thread looks again after this time rather than being woken, which would cost each query more than its line. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final QuerySettings settings;
    private final Consumer<String> lines;
    private final AuditLine format = new AuditLine();
    private final Counter queries;
    private final Counter errors;
    private final Counter dropped;
    private final Histogram latency;
    private final ConcurrentLinkedQueue<AuditEvent> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger numWaiting = new AtomicInteger();
    private final Thread writer = new Thread(this::writeWaiting, "audit");
    private volatile boolean closing;

    AuditLog(QuerySettings settings, MetricRegistry metrics) {
        this(settings, metrics, AUDIT::info);
    }

    /** @param lines takes lines, one or several with line ends between them; may block */
    AuditLog(QuerySettings settings, MetricRegistry metrics, Consumer<String> lines) {
        this.settings = settings;
        this.lines = lines;
        this.queries = metrics.counter("query_total", "Queries that ended.");
        this.errors = metrics.counter("query_err", "Queries that ended with an error.");
        this.dropped = metrics.counter("audit_log_dropped_total", "Lines of the audit log dropped: too many waited.");
        this.latency = metrics.histogram("query_latency_ms", "Time from a query's arrival to its last row.");
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public void writeSoon(AuditEvent event) {
        countQuery(event);
        if (numWaiting.get() >= MAX_WAITING) {
            dropped.increment();
            return;
        }
        numWaiting.incrementAndGet();
        waiting.add(event);
    }

    /** Writes what waits and stops the thread. */
    @Override
    public void close() throws InterruptedException {
        closing = true;
        LockSupport.unpark(writer);
        writer.join(TimeUnit.SECONDS.toMillis(5));
    }

    private void writeWaiting() {
        StringBuilder batch = new StringBuilder(BATCH);
        while (true) {
            boolean last = closing;
            AuditEvent event = waiting.poll();
            while (event != null) {
                numWaiting.decrementAndGet();
                append(batch, event);
                if (batch.length() >= BATCH) {
                    flush(batch);
                }
                event = waiting.poll();
            }
            flush(batch);
            if (last) {
                return;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private void append(StringBuilder batch, AuditEvent event) {
        int before = batch.length();
        try {
            if (before > 0) {
                batch.append('\n');
            }
            format.append(batch, event, settings.qeSlowLogMs());
        } catch (RuntimeException bug) {
            batch.setLength(before);
            dropped.increment();
            LOG.error("audit line lost query_id={}", event.statement().queryId(), bug);
        }
    }

    private void flush(StringBuilder batch) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            lines.accept(batch.toString());
        } catch (RuntimeException failure) {
            LOG.error("audit lines lost characters={}", batch.length(), failure);
        }
        batch.setLength(0);
    }

    @Override
    public boolean wants(Session session, boolean binaryRows) {
        return !binaryRows || session.variables().frequent().auditsPrepared();
    }

    @Override
    public void count(long elapsedMillis, boolean failed) {
        queries.increment();
        latency.record(elapsedMillis);
        if (failed) {
            errors.increment();
        }
    }

    @Override
    public void write(AuditEvent event) {
        countQuery(event);
        StatementContext statement = event.statement();
        if (statement.binaryRows() && !statement.settings().enablePreparedStmtAuditLog()) {
            return;
        }
        StringBuilder line = new StringBuilder(512);
        format.append(line, event, settings.qeSlowLogMs());
        lines.accept(line.toString());
    }

    private void countQuery(AuditEvent event) {
        if (event.isQuery()) {
            count(event.elapsedMillis(), event.state().equals("ERR"));
        }
    }
}
