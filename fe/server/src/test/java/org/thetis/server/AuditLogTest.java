// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.thetis.base.config.Config;
import org.thetis.base.config.QuerySettings;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.Cancellation;
import org.thetis.query.session.GlobalVariableStore;
import org.thetis.query.session.GlobalVariables;
import org.thetis.query.session.QueryId;
import org.thetis.query.session.Session;
import org.thetis.query.session.SessionVariables;
import org.thetis.query.session.StatementContext;
import org.thetis.query.session.VariableCatalog;
import org.thetis.query.statement.AuditEvent;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AuditLogTest {
    private final QuerySettings settings = new QuerySettings(Config.defaults(Map.of("qe_slow_log_ms", "5000")));
    private final MetricRegistry metrics = new MetricRegistry();
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final Session session = new Session(
            7,
            new UserIdentity("ann", "%"),
            "ann",
            "10.0.0.1",
            1234,
            0,
            new SessionVariables(new GlobalVariables(
                    VariableCatalog.load(
                            Map.of("time_zone", "UTC", "system_time_zone", "UTC", "version_comment", "test")),
                    GlobalVariableStore.inMemory())),
            () -> {});

    @Test
    void aLineSaysEverythingAndStaysOneLine() throws Exception {
        session.useDatabase("d");
        try (AuditLog log = new AuditLog(settings, metrics, written::add)) {
            log.write(event("SELECT 'a\nb\\c'", false, 12));
            log.write(event("CREATE USER u IDENTIFIED BY 'secret'", false, 6000));
            log.write(event("SET PASSWORD = PASSWORD('secret')", false, 1));
            log.write(event("x".repeat(5000), false, 1));
            log.write(event("CREATE USER " + "x".repeat(4064) + " IDENTIFIED BY 'secret'", false, 1));
        }
        assertThat(written.get(0))
                .matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,012 \\[query] \\|Client=10.0.0.1:1234\\|User=ann"
                        + "\\|Ctl=internal\\|Db=d\\|State=EOF\\|ErrorCode=0\\|ErrorMessage=\\|Time\\(ms\\)=12\\|ScanBytes=0"
                        + "\\|ScanRows=0\\|ReturnRows=3\\|QueryId=[-0-9a-f]+\\|IsQuery=true\\|CpuTimeMS=0"
                        + "\\|PeakMemoryBytes=0\\|Stmt=SELECT 'a\\\\nb\\\\\\\\c'");
        assertThat(written.get(1)).contains("[slow_query]").endsWith("IDENTIFIED BY '*'");
        assertThat(written.get(2)).endsWith("PASSWORD('*')").doesNotContain("secret");
        assertThat(written.get(3)).endsWith("x".repeat(4096) + "...");
        assertThat(written.get(4)).as("cut within the password").endsWith("IDENTIFIED BY '*'...");
    }

    @Test
    void aPreparedStatementIsTheSameInEachOfItsLines() throws Exception {
        String longest = "SELECT '" + "x".repeat(4087) + "'";
        try (AuditLog log = new AuditLog(settings, metrics, written::add)) {
            for (int i = 0; i < 2; i++) {
                log.writeSoon(event("SELECT 'a\nb' = ?", true, 1));
                log.writeSoon(event("SET PASSWORD = PASSWORD('secret')", true, 1));
                log.writeSoon(event(longest, true, 1));
                log.writeSoon(event(longest + " ", true, 1));
                for (int other = 0; other < 200; other++) {
                    log.writeSoon(event("SELECT " + other, true, 1));
                }
            }
        }
        List<String> lines = written.stream().flatMap(String::lines).toList();
        assertThat(lines).hasSize(408);
        for (List<String> half : List.of(lines.subList(0, 204), lines.subList(204, 408))) {
            assertThat(half.get(0)).endsWith("|Stmt=SELECT 'a\\nb' = ?");
            assertThat(half.get(1)).endsWith("|Stmt=SET PASSWORD = PASSWORD('*')");
            assertThat(half.get(2)).endsWith("|Stmt=" + longest);
            assertThat(half.get(3)).endsWith("|Stmt=" + longest + "...");
            for (int other = 0; other < 200; other++) {
                assertThat(half.get(4 + other)).endsWith("|Stmt=SELECT " + other);
            }
        }
    }

    @Test
    void linesOfEventLoopsAreWrittenTogetherInOrder() throws Exception {
        try (AuditLog log = new AuditLog(settings, metrics, written::add)) {
            for (int i = 0; i < 10_000; i++) {
                log.writeSoon(event("SELECT " + i, true, 1));
            }
        }
        List<String> lines = written.stream().flatMap(String::lines).toList();
        assertThat(lines).hasSize(10_000);
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i)).endsWith("|Stmt=SELECT " + i);
        }
        assertThat(written.size()).isLessThan(1000);
        assertThat(metrics.counter("query_total", "").value()).isEqualTo(10_000);
    }

    @Test
    void aLogThatIsNotWrittenHoldsNobodyUpAndSaysWhatItLost() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(1);
        AuditLog log = new AuditLog(settings, metrics, lines -> {
            stuck.countDown();
            try {
                free.await();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
            written.add(lines);
        });
        log.writeSoon(event("SELECT 0", true, 1));
        stuck.await();
        AuditEvent event = event("SELECT 1", true, 1);
        for (int i = 0; i < AuditLog.MAX_WAITING + 25; i++) {
            log.writeSoon(event);
        }
        assertThat(metrics.counter("audit_log_dropped_total", "").value()).isEqualTo(25);
        assertThat(metrics.counter("query_total", "").value()).isEqualTo(AuditLog.MAX_WAITING + 26);
        free.countDown();
        log.close();
        assertThat(written.stream().flatMap(String::lines).count()).isEqualTo(AuditLog.MAX_WAITING + 1);
    }

    private AuditEvent event(String sql, boolean binaryRows, long millis) {
        StatementContext statement = new StatementContext(
                session,
                new QueryId(1, 2),
                sql,
                Instant.EPOCH,
                session.variables(),
                List.of(),
                binaryRows,
                new Cancellation());
        return new AuditEvent(statement, true, "EOF", 0, "", millis, 3, new QueryCounters());
    }
}
