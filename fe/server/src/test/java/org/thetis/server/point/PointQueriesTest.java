// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.point;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.thread.Executors;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.query.point.PointPlans;
import org.thetis.query.session.Session;
import org.thetis.server.testing.EmbeddedServer;
import org.thetis.server.testing.FakeLookupBackend;
import org.thetis.server.testing.FakeLookupBackend.Answer;
import org.thetis.server.testing.RawMysql;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.point.HandMadePlans;
import org.thetis.sql.point.PointPlan;
import org.thetis.wire.proto.LookupReply;
import org.thetis.wire.proto.LookupRequest;
import org.thetis.wire.proto.TabletKeys;

/** Key look-ups from a JDBC client over the event loop to back ends that fail in every way. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PointQueriesTest {
    /** Of random ones: ten in a hundred of those the codec alone is tried with. */
    private static final int PACKETS = Integer.getInteger("thetis.fuzz.packets", 20_000) / 10;

    private static final String BY_KEY = "SELECT v FROM d.kv WHERE k = ?";

    private final List<FakeLookupBackend> backends = new ArrayList<>();
    private EmbeddedServer server;

    /** One plan for the one statement; `SELECT v FROM d.kv WHERE k = 12` as text is it as well. */
    private static final class Plans implements PointPlans {
        private volatile @Nullable PointPlan plan;

        @Override
        public @Nullable PointPlan ofPrepared(
                Session session, org.thetis.query.session.PreparedStatement statement, CatalogSnapshot now) {
            return statement.sql().equals(BY_KEY) ? known(now) : null;
        }

        @Override
        public @Nullable TextMatch ofText(Session session, String sql, CatalogSnapshot now) {
            return sql.startsWith("SELECT v FROM d.kv WHERE k = ")
                    ? new TextMatch(known(now), List.of(Literal.bigint(Long.parseLong(sql.substring(29)))))
                    : null;
        }

        private PointPlan known(CatalogSnapshot now) {
            PointPlan made = plan;
            if (made == null) {
                made = HandMadePlans.byKey(now, "d", (OlapTable) now.getTable("d", "kv"), 1);
                plan = made;
            }
            return made;
        }
    }

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < 3; i++) {
            backends.add(new FakeLookupBackend(PointQueriesTest::valueOfKey));
        }
        server = new EmbeddedServer(Map.of("point_query_timeout_ms", "3000"), backends, new Plans());
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        for (FakeLookupBackend backend : backends) {
            backend.close();
        }
    }

    @Test
    void preparedAndTextLookUpsFindTheirRows() throws SQLException {
        try (Connection connection = connect();
                PreparedStatement query = connection.prepareStatement(BY_KEY);
                Statement text = connection.createStatement()) {
            for (long key = -50; key < 50; key++) {
                assertThat(find(query, key)).isEqualTo(key % 7 == 0 ? null : "v" + key);
            }
            try (ResultSet rows = text.executeQuery("SELECT v FROM d.kv WHERE k = 12")) {
                assertThat(rows.getMetaData().getColumnName(1)).isEqualTo("v");
                assertThat(rows.getMetaData().getTableName(1)).isEqualTo("kv");
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("v12");
            }
        }
        assertThat(metric("point_query_total{protocol=\"prepared\"}")).isEqualTo(100);
        assertThat(metric("point_query_total{protocol=\"text\"}")).isEqualTo(1);
        for (FakeLookupBackend backend : backends) {
            for (LookupRequest request : backend.requests()) {
                for (TabletKeys tablet : request.getTabletsList()) {
                    assertThat(tablet.getVersion()).isEqualTo(5);
                    assertThat(tablet.getTabletId()).isBetween(1000L, 1003L);
                }
            }
        }
    }

    @Test
    void anOpenTransactionTakesTheOrdinaryRoad() throws SQLException {
        try (Connection connection = connect();
                PreparedStatement query = connection.prepareStatement(BY_KEY);
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            assertThatThrownBy(() -> find(query, 1)).hasMessageContaining("This is in a transaction");
            statement.execute("ROLLBACK");
            assertThat(find(query, 1)).isEqualTo("v1");
        }
    }

    @Test
    void malformedExecutesFailAloneAndTheConnectionGoesOn() throws IOException {
        try (RawMysql client = new RawMysql(server.mysqlPort())) {
            int id = client.prepare(BY_KEY);
            byte[] good = RawMysql.execute(id, 0, RawMysql.oneBigint(5));
            for (byte[] bad : List.of(
                    RawMysql.execute(id, 1, RawMysql.oneBigint(5)),
                    RawMysql.execute(id, 0, new byte[0]),
                    RawMysql.execute(id, 0, new byte[] {0, 1, 8, 0, 5}),
                    RawMysql.execute(id, 0, new byte[] {0, 1, 99, 0, 5, 0, 0, 0, 0, 0, 0, 0}),
                    RawMysql.execute(id, 0, new byte[] {0, 1, (byte) 253, 0, (byte) 0xFE, 1, 1, 1, 1, 1, 1, 1, 0x7F}),
                    RawMysql.execute(id + 7, 0, RawMysql.oneBigint(5)),
                    new byte[] {0x17},
                    new byte[] {0x17, 1, 0, 0})) {
                client.command(bad);
                assertThat(client.reply().get(0)).startsWith("ERR ");
                client.command(good);
                assertThat(client.reply()).containsExactly("\0\0\2v5");
            }
            client.command(RawMysql.execute(id, 1, RawMysql.oneBigint(5)));
            assertThat(client.reply().get(0)).contains("cursors are not supported");
            client.command(RawMysql.execute(id + 7, 0, RawMysql.oneBigint(5)));
            assertThat(client.reply().get(0)).startsWith("ERR 1243 ");
            // Types of the execution before hold when none are sent.
            client.command(RawMysql.execute(id, 0, new byte[] {0, 0, 6, 0, 0, 0, 0, 0, 0, 0}));
            assertThat(client.reply()).containsExactly("\0\0\2v6");
        }
    }

    @Test
    void commandsSentAheadAreAnsweredInOrder() throws IOException {
        try (RawMysql client = new RawMysql(server.mysqlPort())) {
            int id = client.prepare(BY_KEY);
            List<byte[]> burst = new ArrayList<>();
            for (int i = 1; i <= 500; i++) {
                burst.add(
                        switch (i % 10) {
                            case 0 -> new byte[] {14};
                            case 5 -> "\3SELECT 1".getBytes(StandardCharsets.US_ASCII);
                            default -> RawMysql.execute(id, 0, RawMysql.oneBigint(7L * i + 1));
                        });
            }
            client.burst(burst);
            for (int i = 1; i <= 500; i++) {
                client.nextReply();
                assertThat(client.reply())
                        .containsExactly(
                                switch (i % 10) {
                                    case 0 -> "OK";
                                    case 5 -> "\1" + "1";
                                    default ->
                                        "\0\0"
                                                + (char) (Long.toString(7L * i + 1)
                                                                .length()
                                                        + 1) + "v" + (7L * i + 1);
                                });
            }
        }
    }

    @Test
    void randomPacketsCrashNothing() throws IOException {
        java.util.Random random = new java.util.Random(11);
        try (RawMysql client = new RawMysql(server.mysqlPort())) {
            int id = client.prepare(BY_KEY);
            for (int i = 0; i < PACKETS; i++) {
                byte[] rest = RawMysql.oneBigint(i);
                for (int change = random.nextInt(4); change > 0; change--) {
                    rest[random.nextInt(rest.length)] = (byte) random.nextInt();
                }
                client.command(RawMysql.execute(
                        id, random.nextInt(20) == 0 ? random.nextInt() : 0, Arrays.copyOf(rest, random.nextInt(16))));
                client.reply();
            }
            client.command(RawMysql.execute(id, 0, RawMysql.oneBigint(5)));
            assertThat(client.reply()).containsExactly("\0\0\2v5");
        }
    }

    @Test
    void anotherReplicaAnswersWhenOneFails() throws SQLException, IOException {
        try (Connection connection = connect();
                PreparedStatement query = connection.prepareStatement(BY_KEY)) {
            for (Answer failure : List.of(
                    new Answer.Disconnect(),
                    Answer.error(ErrorCode.MISSING_VERSION.number(), "version 5 is missing"),
                    Answer.error(ErrorCode.TABLET_NOT_FOUND.number(), "no such tablet"),
                    Answer.error(ErrorCode.CORRUPTION.number(), "bad page"))) {
                backends.get(0).behave(request -> failure);
                for (long key = 1; key < 40; key++) {
                    assertThat(find(query, key)).isEqualTo(key % 7 == 0 ? null : "v" + key);
                }
            }
            backends.get(0).kill();
            backends.get(1).kill();
            for (long key = 1; key < 40; key++) {
                assertThat(find(query, key)).isEqualTo(key % 7 == 0 ? null : "v" + key);
            }
            assertThat(metric("point_query_retries_total")).isPositive();
        }
    }

    @Test
    void whatNoReplicaAnswersIsOneClearErrorAndTheConnectionGoesOn() throws Exception {
        all(request -> Answer.error(ErrorCode.CORRUPTION.number(), "checksum mismatch in page 3"));
        try (Connection connection = connect();
                PreparedStatement query = connection.prepareStatement(BY_KEY)) {
            assertThatThrownBy(() -> find(query, 1)).hasMessageContaining("checksum mismatch in page 3");
            all(request -> Answer.error(ErrorCode.INTERNAL.number(), "a bug"));
            assertThatThrownBy(() -> find(query, 1)).hasMessageContaining("a bug");
            all(request -> new Answer.Silence());
            long begin = System.nanoTime();
            assertThatThrownBy(() -> find(query, 1)).hasMessageContaining("deadline");
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(20));
            all(request -> Answer.rows(1, new byte[] {9, 0, 0, 0, 1}));
            assertThatThrownBy(() -> find(query, 1)).hasMessageContaining("inside a packet");
            all(PointQueriesTest::valueOfKey);
            assertThat(find(query, 1)).isEqualTo("v1");
            for (FakeLookupBackend backend : backends) {
                backend.kill();
            }
            assertThatThrownBy(() -> find(query, 1)).isInstanceOf(SQLException.class);
            for (FakeLookupBackend backend : backends) {
                backend.restart();
            }
            awaitValue(query);
        }
    }

    @Test
    void aLateVersionIsWaitedFor() throws SQLException {
        long[] calls = new long[1];
        all(request -> {
            synchronized (calls) {
                // All three replicas lack it at first: the round after that finds it.
                return calls[0]++ < 2
                        ? Answer.error(ErrorCode.MISSING_VERSION.number(), "version 5 is missing")
                        : valueOfKey(request);
            }
        });
        try (Connection connection = connect();
                PreparedStatement query = connection.prepareStatement(BY_KEY)) {
            assertThat(find(query, 3)).isEqualTo("v3");
        }
    }

    @Test
    void killQueryEndsALookUpAndDisconnectsLeaveNothing() throws Exception {
        all(request -> new Answer.Silence());
        ExecutorService threads = Executors.growing("client", 4);
        try (Connection connection = connect();
                Connection other = connect();
                PreparedStatement query = connection.prepareStatement(BY_KEY);
                Statement control = other.createStatement()) {
            Callable<String> waiting = () -> find(query, 1);
            Future<String> lookup = threads.submit(waiting);
            long id = await(control, "SELECT id FROM information_schema.processlist WHERE command = 'Execute'");
            try (ResultSet rows = control.executeQuery(
                    "SELECT sql FROM information_schema.active_queries WHERE sql LIKE '%kv%' AND sql LIKE '%?'")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo(BY_KEY);
            }
            control.execute("KILL QUERY " + id);
            assertThatThrownBy(lookup::get).hasMessageContaining("interrupted");
            all(PointQueriesTest::valueOfKey);
            assertThat(find(query, 2)).isEqualTo("v2");
            all(request -> new Answer.Silence());
            Future<String> cut = threads.submit(waiting);
            await(control, "SELECT id FROM information_schema.processlist WHERE command = 'Execute'");
            connection.abort(Runnable::run);
            assertThatThrownBy(cut::get).hasCauseInstanceOf(SQLException.class);
            long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            while (server.sessions().size() > 1 && System.nanoTime() < deadline) {
                Thread.sleep(5);
            }
            assertThat(server.sessions().size()).isEqualTo(1);
        } finally {
            Executors.stop(threads, Duration.ofSeconds(1));
        }
    }

    @Test
    void aBugInMidLookUpIsAnErrorAndLeavesTheSessionAtRest() throws Exception {
        try (Connection connection = connect();
                PreparedStatement query = connection.prepareStatement(BY_KEY)) {
            assertThat(find(query, 1)).isEqualTo("v1");
            Session session = server.sessions().all().get(0);
            server.nodes().breakWith(new IllegalStateException("broken on purpose"));
            // What is known of back ends is a little old first.
            Thread.sleep(100);
            assertThatThrownBy(() -> find(query, 1)).hasMessageContaining("broken on purpose");
            assertThat(session.command()).isEqualTo("Sleep");
            assertThat(session.running()).isEmpty();
            server.nodes().breakWith(null);
            assertThat(find(query, 2)).isEqualTo("v2");
        }
    }

    @Test
    void connectorsLoadBalancingPassesOverADeadHost() throws Exception {
        String hosts = "127.0.0.1:" + server.mysqlPort();
        String dead = "127.0.0.1:" + deadPort();
        for (String url : List.of(hosts + "," + hosts, dead + "," + hosts, hosts + "," + dead)) {
            for (int i = 0; i < 5; i++) {
                try (Connection connection = DriverManager.getConnection(
                                "jdbc:mysql:loadbalance://" + url + "/?useServerPrepStmts=true&cachePrepStmts=true",
                                "root",
                                "");
                        PreparedStatement query = connection.prepareStatement(BY_KEY)) {
                    assertThat(find(query, 5)).isEqualTo("v5");
                }
            }
        }
        assertThat(metric("point_query_total{protocol=\"prepared\"}")).isEqualTo(15);
    }

    private static int deadPort() throws IOException {
        try (ServerSocket once = new ServerSocket(0)) {
            return once.getLocalPort();
        }
    }

    @Test
    void onlyBackEndsThatCannotBeReachedAreAvoided() throws Exception {
        all(request -> new Answer.Silence());
        try (Connection connection = connect();
                PreparedStatement query = connection.prepareStatement(BY_KEY)) {
            assertThatThrownBy(() -> find(query, 1)).hasMessageContaining("deadline");
            all(request -> Answer.error(ErrorCode.RPC_ERROR.number(), "it could not call another"));
            assertThatThrownBy(() -> find(query, 1)).hasMessageContaining("it could not call another");
            assertThat(server.blackList().entries()).isEmpty();
            all(PointQueriesTest::valueOfKey);
            backends.get(0).kill();
            for (long key = 1; key < 40; key++) {
                assertThat(find(query, key)).isEqualTo(key % 7 == 0 ? null : "v" + key);
            }
            assertThat(server.blackList().entries()).containsOnlyKeys(1L);
        }
    }

    @Test
    void rowsLargerThanAnyBufferArriveWhole() throws SQLException {
        String large = "x".repeat(3_000_000);
        all(request -> Answer.rows(1, binaryRow(large)));
        try (Connection connection = connect();
                PreparedStatement query = connection.prepareStatement(BY_KEY)) {
            for (int i = 0; i < 5; i++) {
                assertThat(find(query, 1)).isEqualTo(large);
            }
        }
    }

    @Test
    void manyConnectionsWhileBackEndsComeAndGoNeverHangAndNeverMix() throws Exception {
        all(request -> request.hashCode() % 50 == 0 ? new Answer.Disconnect() : valueOfKey(request));
        ExecutorService threads = Executors.growing("client", 16);
        List<Future<Integer>> clients = new ArrayList<>();
        for (int c = 0; c < 8; c++) {
            int client = c;
            clients.add(threads.submit(() -> {
                int right = 0;
                try (Connection connection = connect();
                        PreparedStatement query = connection.prepareStatement(BY_KEY)) {
                    for (long key = 0; key < 300; key++) {
                        long wanted = 1000L * client + key;
                        try {
                            assertThat(find(query, wanted)).isEqualTo(wanted % 7 == 0 ? null : "v" + wanted);
                            right++;
                        } catch (SQLException failure) {
                            assertThat(failure.getMessage()).contains("look-up");
                        }
                    }
                }
                return right;
            }));
        }
        int right = 0;
        for (Future<Integer> client : clients) {
            right += client.get();
        }
        Executors.stop(threads, Duration.ofSeconds(1));
        // How many fail depends on how often all three are in their back-off at once; that some are answered does not.
        assertThat(right).isPositive();
        all(PointQueriesTest::valueOfKey);
        try (Connection connection = connect();
                PreparedStatement query = connection.prepareStatement(BY_KEY)) {
            awaitValue(query);
        }
    }

    private Connection connect() throws SQLException {
        return server.connect("useServerPrepStmts=true&cachePrepStmts=true");
    }

    private void all(Function<LookupRequest, Answer> behaviour) {
        backends.forEach(backend -> backend.behave(behaviour));
    }

    private static @Nullable String find(PreparedStatement query, long key) throws SQLException {
        query.setLong(1, key);
        try (ResultSet rows = query.executeQuery()) {
            if (!rows.next()) {
                return null;
            }
            String value = rows.getString(1);
            assertThat(rows.next()).isFalse();
            return value;
        }
    }

    /** Look-ups are answered again once the back-off has passed. */
    private static void awaitValue(PreparedStatement query) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (true) {
            try {
                assertThat(find(query, 1)).isEqualTo("v1");
                return;
            } catch (SQLException stillAway) {
                if (System.nanoTime() > deadline) {
                    throw stillAway;
                }
            }
        }
    }

    private static long await(Statement control, String sql) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (System.nanoTime() < deadline) {
            try (ResultSet rows = control.executeQuery(sql)) {
                if (rows.next()) {
                    return rows.getLong(1);
                }
            }
            Thread.sleep(5);
        }
        throw new AssertionError("nothing ever came of " + sql);
    }

    private long metric(String name) {
        return server.metrics()
                .toPrometheusText()
                .lines()
                .filter(line -> line.startsWith("doris_fe_" + name + " "))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    /** The row "v" + key, none for keys that seven divides. */
    private static Answer valueOfKey(LookupRequest request) {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        int count = 0;
        for (TabletKeys tablet : request.getTabletsList()) {
            for (ByteString key : tablet.getKeysList()) {
                long value = key.asReadOnlyByteBuffer()
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getLong();
                if (value % 7 != 0) {
                    rows.writeBytes(request.getBinaryRows() ? binaryRow("v" + value) : textRow("v" + value));
                    count++;
                }
            }
        }
        return new Answer.Reply(
                LookupReply.newBuilder().setNumRows(count).build(), ByteString.copyFrom(rows.toByteArray()), 0);
    }

    private static byte[] binaryRow(String text) {
        return packet(new byte[] {0, 0}, text);
    }

    private static byte[] textRow(String text) {
        return packet(new byte[0], text);
    }

    private static byte[] packet(byte[] head, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int prefix = bytes.length < 251 ? 1 : 4;
        int length = head.length + prefix + bytes.length;
        ByteBuffer out = ByteBuffer.allocate(4 + length).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(length).put(head);
        if (prefix == 1) {
            out.put((byte) bytes.length);
        } else {
            out.put((byte) 0xFD)
                    .put((byte) bytes.length)
                    .put((byte) (bytes.length >> 8))
                    .put((byte) (bytes.length >> 16));
        }
        return out.put(bytes).array();
    }
}
