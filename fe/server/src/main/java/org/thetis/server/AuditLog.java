// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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
 * by a thread of this object. Thread-safe.
 */
final class AuditLog implements AuditSink, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");
    private static final int MAX_SQL = 4096;

    /** Lines that may wait for the thread; more are written by those who bring them. */
    private static final int MAX_WAITING = 1 << 16;

    /** The thread looks again after this time rather than being woken, which would cost each query more than its line. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final QuerySettings settings;
    private final Counter queries;
    private final Counter errors;
    private final Histogram latency;
    private final ConcurrentLinkedQueue<AuditEvent> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger numWaiting = new AtomicInteger();
    private final Thread writer = new Thread(this::writeWaiting, "audit");
    private volatile boolean closing;

    AuditLog(QuerySettings settings, MetricRegistry metrics) {
        this.settings = settings;
        this.queries = metrics.counter("query_total", "Queries that ended.");
        this.errors = metrics.counter("query_err", "Queries that ended with an error.");
        this.latency = metrics.histogram("query_latency_ms", "Time from a query's arrival to its last row.");
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public void writeSoon(AuditEvent event) {
        if (closing || numWaiting.get() >= MAX_WAITING) {
            write(event);
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
        while (true) {
            boolean last = closing;
            AuditEvent event = waiting.poll();
            while (event != null) {
                numWaiting.decrementAndGet();
                try {
                    write(event);
                } catch (RuntimeException bug) {
                    LOG.error("audit line lost query_id={}", event.statement().queryId(), bug);
                }
                event = waiting.poll();
            }
            if (last) {
                return;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    @Override
    public boolean wants(Session session, boolean binaryRows) {
        return !binaryRows || session.variables().settings().enablePreparedStmtAuditLog();
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
        StatementContext statement = event.statement();
        if (event.isQuery()) {
            count(event.elapsedMillis(), event.state().equals("ERR"));
        }
        if (statement.binaryRows() && !statement.settings().enablePreparedStmtAuditLog()) {
            return;
        }
        Session session = statement.session();
        String kind = event.elapsedMillis() >= settings.qeSlowLogMs() ? "slow_query" : "query";
        AUDIT.info(
                "[{}] |Client={}|User={}|Ctl={}|Db={}|State={}|ErrorCode={}|ErrorMessage={}|Time(ms)={}|ScanBytes={}|ScanRows={}"
                        + "|ReturnRows={}|QueryId={}|IsQuery={}|CpuTimeMS={}|PeakMemoryBytes={}|Stmt={}",
                kind,
                session.clientAddress(),
                session.userName(),
                Session.INTERNAL_CATALOG,
                session.database().orElse(""),
                event.state(),
                event.errorCode(),
                oneLine(event.errorMessage()),
                event.elapsedMillis(),
                event.counters().scanBytes(),
                event.counters().scanRows(),
                event.returnedRows(),
                statement.queryId(),
                event.isQuery(),
                event.counters().cpuNanos() / 1_000_000,
                event.counters().peakMemoryBytes(),
                oneLine(hidePasswords(statement.sql())));
    }

    private static String oneLine(String text) {
        String cut = text.length() > MAX_SQL ? text.substring(0, MAX_SQL) + "..." : text;
        return cut.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    /** Statements that carry a password are logged without it. */
    private static String hidePasswords(String sql) {
        String lower = sql.toLowerCase(Locale.ROOT);
        if (!lower.contains("identified by") && !lower.contains("password")) {
            return sql;
        }
        return sql.replaceAll(
                "(?i)((?:identified\\s+by(?:\\s+password)?|password\\s*\\(|password[^=']*=)\\s*)(?:'[^']*'|\"[^\"]*\")",
                "$1'*'");
    }
}
