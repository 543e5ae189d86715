// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
import org.thetis.query.statement.LookupEvent;

/**
 * Writes one line per finished statement to the logger `audit`, and counts statements for the metrics. Lines of look-ups are formatted on
 * their event loop and written many at a time by a thread of this object; when it falls too far behind they are dropped and counted.
 * Thread-safe.
 */
final class AuditLog implements AuditSink, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");

    /** Bytes given to the logger at once, about: each time costs a write to the file. */
    private static final int BATCH = 64 << 10;

    private static final int LINE = 512;

    /** The thread looks again after this time rather than being woken, which would cost each query more than its line. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final QuerySettings settings;
    private final Consumer<String> lines;
    private final AuditLine format = new AuditLine();
    private final Counter queries;
    private final Counter errors;
    private final Counter dropped;
    private final Histogram latency;
    private final Map<Thread, LookupLines> loops = new ConcurrentHashMap<>();
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
    public Consumer<LookupEvent> lookupsOf(Session session) {
        return new Connection(session);
    }

    /** The look-ups of one connection; what is the same in all its lines is kept. */
    private final class Connection implements Consumer<LookupEvent> {
        private final Session session;
        private @Nullable LookupLines loop;
        private @Nullable String database;
        private @Nullable String sql;
        private byte[] who = {};
        private byte[] statement = {};

        Connection(Session session) {
            this.session = session;
        }

        // Another text that is equal is merely formatted again.
        @Override
        @SuppressWarnings({"ReferenceEquality", "StringEquality"})
        public void accept(LookupEvent event) {
            count(event.elapsedMillis(), event.state().equals("ERR"));
            String now = session.database().orElse("");
            if (now != database) {
                who = AuditLine.who(session);
                database = now;
            }
            if (event.sql() != sql) {
                statement = AuditLine.statement(event.sql());
                sql = event.sql();
            }
            LookupLines mine = loop;
            if (mine == null) {
                mine = loops.computeIfAbsent(Thread.currentThread(), thread -> new LookupLines());
                loop = mine;
            }
            if (!mine.add(format, event, who, statement, settings.qeSlowLogMs())) {
                dropped.increment();
            }
        }
    }

    /** Writes what waits and stops the thread. */
    @Override
    public void close() throws InterruptedException {
        closing = true;
        LockSupport.unpark(writer);
        writer.join(TimeUnit.SECONDS.toMillis(5));
    }

    private void writeWaiting() {
        LineBuffer spare = new LineBuffer(BATCH);
        while (true) {
            boolean last = closing;
            for (LookupLines loop : loops.values()) {
                LineBuffer full = loop.take(spare);
                write(full);
                spare = LookupLines.reuse(full);
            }
            if (last) {
                return;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    /** Whole lines, so many at a time as fit a batch. */
    private void write(LineBuffer full) {
        byte[] bytes = full.array();
        int begin = 0;
        while (begin < full.length()) {
            int end = Math.min(full.length(), begin + BATCH);
            while (end < full.length() && bytes[end - 1] != '\n') {
                end++;
            }
            try {
                lines.accept(new String(bytes, begin, end - 1 - begin, StandardCharsets.UTF_8));
            } catch (RuntimeException failure) {
                LOG.error("audit lines lost bytes={}", end - begin, failure);
            }
            begin = end;
        }
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
        if (event.isQuery()) {
            count(event.elapsedMillis(), event.state().equals("ERR"));
        }
        StatementContext statement = event.statement();
        if (statement.binaryRows() && !statement.settings().enablePreparedStmtAuditLog()) {
            return;
        }
        LineBuffer line = new LineBuffer(LINE);
        format.append(line, event, settings.qeSlowLogMs());
        lines.accept(new String(line.array(), 0, line.length(), StandardCharsets.UTF_8));
    }
}
