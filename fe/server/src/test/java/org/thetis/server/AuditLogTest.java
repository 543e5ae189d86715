// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import org.thetis.query.statement.LookupEvent;

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
    void aLookUpHasTheLineOfAnyStatement() throws Exception {
        LookupEvent found = lookup("SELECT * FROM t\nWHERE k = ?", "EOF", 0, "", 12);
        LookupEvent failed = lookup("SELECT 'für' FROM t WHERE k = 1", "ERR", 1105, "no\nreplica 'ü'", 7000);
        try (AuditLog log = new AuditLog(settings, metrics, written::add)) {
            Consumer<LookupEvent> lookups = log.lookupsOf(session);
            lookups.accept(found);
            lookups.accept(failed);
            lookups.accept(failed);
            session.useDatabase("andere");
            lookups.accept(found);
        }
        List<String> lines = written.stream().flatMap(String::lines).toList();
        written.clear();
        try (AuditLog log = new AuditLog(settings, metrics, written::add)) {
            log.write(failed.toAuditEvent(session));
            log.write(found.toAuditEvent(session));
        }
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).isEqualTo(written.get(1).replace("|Db=andere|", "|Db=|"));
        assertThat(lines.get(1))
                .isEqualTo(lines.get(2))
                .isEqualTo(written.get(0).replace("|Db=andere|", "|Db=|"));
        assertThat(lines.get(1)).contains("[slow_query]").contains("|ErrorCode=1105|ErrorMessage=no\\nreplica 'ü'|");
        assertThat(lines.get(3)).isEqualTo(written.get(1));
    }

    @Test
    void linesOfEventLoopsAreWrittenTogetherInOrder() throws Exception {
        int perLoop = 10_000;
        try (AuditLog log = new AuditLog(settings, metrics, written::add)) {
            List<Thread> loops = Stream.of("a", "b")
                    .map(name -> new Thread(() -> {
                        Consumer<LookupEvent> lookups = log.lookupsOf(session);
                        for (int i = 0; i < perLoop; i++) {
                            lookups.accept(lookup(name + i, "EOF", 0, "", 1));
                        }
                    }))
                    .toList();
            loops.forEach(Thread::start);
            for (Thread loop : loops) {
                loop.join();
            }
        }
        List<String> statements = written.stream()
                .flatMap(String::lines)
                .map(line -> line.substring(line.indexOf("|Stmt=") + 6))
                .toList();
        for (String name : List.of("a", "b")) {
            assertThat(statements.stream().filter(sql -> sql.startsWith(name)))
                    .containsExactlyElementsOf(
                            IntStream.range(0, perLoop).mapToObj(i -> name + i).toList());
        }
        assertThat(written.size()).isLessThan(1000);
        assertThat(metrics.counter("query_total", "").value()).isEqualTo(2L * perLoop);
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
        Consumer<LookupEvent> lookups = log.lookupsOf(session);
        LookupEvent event = lookup("x".repeat(4000), "EOF", 0, "", 1);
        lookups.accept(event);
        stuck.await();
        int more = LookupLines.MAX_WAITING / 4000 + 25;
        for (int i = 0; i < more; i++) {
            lookups.accept(event);
        }
        long dropped = metrics.counter("audit_log_dropped_total", "").value();
        assertThat(dropped).isPositive();
        assertThat(metrics.counter("query_total", "").value()).isEqualTo(more + 1);
        free.countDown();
        log.close();
        assertThat(written.stream().flatMap(String::lines).count()).isEqualTo(more + 1 - dropped);
    }

    private static LookupEvent lookup(String sql, String state, int code, String message, long millis) {
        return new LookupEvent(new QueryId(0x1F, -2), sql, false, state, code, message, 1_000_000_000L, millis, 3);
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
