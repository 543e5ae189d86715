// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.util.Locale;
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

/** Writes one line per finished statement to the logger `audit`, and counts statements for the metrics. Thread-safe. */
final class AuditLog implements AuditSink {
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");
    private static final int MAX_SQL = 4096;

    private final QuerySettings settings;
    private final Counter queries;
    private final Counter errors;
    private final Histogram latency;

    AuditLog(QuerySettings settings, MetricRegistry metrics) {
        this.settings = settings;
        this.queries = metrics.counter("query_total", "Queries that ended.");
        this.errors = metrics.counter("query_err", "Queries that ended with an error.");
        this.latency = metrics.histogram("query_latency_ms", "Time from a query's arrival to its last row.");
    }

    @Override
    public void write(AuditEvent event) {
        StatementContext statement = event.statement();
        if (event.isQuery()) {
            queries.increment();
            latency.record(event.elapsedMillis());
            if (event.state().equals("ERR")) {
                errors.increment();
            }
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
