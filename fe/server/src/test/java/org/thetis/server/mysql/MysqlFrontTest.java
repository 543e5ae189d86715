// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.thetis.server.testing.EmbeddedServer;

/** The MySQL front as Connector/J and raw sockets see it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MysqlFrontTest {
    private static EmbeddedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new EmbeddedServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void connectorAsksItsQuestionsAndRunsQueries() throws SQLException {
        try (Connection connection = server.connect("");
                Statement statement = connection.createStatement()) {
            assertThat(connection.getMetaData().getDatabaseProductVersion()).isEqualTo("5.7.99");
            assertThat(strings(statement, "SELECT 1 + 1")).containsExactly("2");
            assertThat(strings(statement, "SHOW DATABASES")).containsExactly("d", "information_schema", "mysql");
            assertThat(strings(statement, "SELECT one FROM d.v")).containsExactly("1");
            assertThat(strings(statement, "SELECT @@version_comment LIMIT 1"))
                    .containsExactly("Doris version doris-test-hash");
            assertThat(strings(statement, "SELECT engine FROM information_schema.engines"))
                    .containsExactly("OLAP");
        }
    }

    @Test
    void rowsOfBackendsAreRelayedInOrder() throws SQLException {
        try (Connection connection = server.connect("");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM numbers('number' = '25000')")) {
            long expected = 0;
            while (rows.next()) {
                assertThat(rows.getLong(1)).isEqualTo(expected);
                expected++;
            }
            assertThat(expected).isEqualTo(25_000);
            assertThat(rows.getMetaData().getColumnTypeName(1)).isEqualTo("BIGINT");
        }
    }

    @Test
    void variablesAreSetAndShownUnderBothNames() throws SQLException {
        try (Connection connection = server.connect("sessionVariables=query_timeout=77");
                Statement statement = connection.createStatement()) {
            assertThat(strings(statement, "SELECT @@query_timeout")).containsExactly("77");
            statement.execute("SET experimental_enable_agg_state = ON, @a = 'x', wait_timeout = 100");
            assertThat(strings(statement, "SELECT @@enable_agg_state")).containsExactly("1");
            assertThat(strings(statement, "SELECT @a")).containsExactly("x");
            assertThat(strings(statement, "SHOW VARIABLES LIKE '%enable_agg_state'"))
                    .containsExactly("experimental_enable_agg_state");
            statement.execute("SET sql_mode = concat(@@sql_mode, ',STRICT_TRANS_TABLES')");
            assertThat(strings(statement, "SELECT @@sql_mode")).containsExactly("STRICT_TRANS_TABLES");
            statement.execute("SET GLOBAL net_write_timeout = 601");
            assertThat(strings(statement, "SELECT @@global.net_write_timeout")).containsExactly("601");
            assertThat(strings(statement, "SELECT /*+ SET_VAR(query_timeout=5) */ @@query_timeout"))
                    .containsExactly("5");
            assertThat(strings(statement, "SELECT @@query_timeout")).containsExactly("77");
            assertThatThrownBy(() -> statement.execute("SET quary_timeout = 1"))
                    .isInstanceOfSatisfying(SQLException.class, failure -> assertThat(failure.getErrorCode())
                            .isEqualTo(1193))
                    .hasMessageContaining("query_timeout");
            assertThatThrownBy(() -> statement.execute("SET version = '8'")).hasMessageContaining("read only");
            assertThatThrownBy(() -> statement.execute("SET sql_mode = 'SLOPPY'"))
                    .isInstanceOfSatisfying(SQLException.class, failure -> assertThat(failure.getErrorCode())
                            .isEqualTo(1231));
        }
    }

    @Test
    void preparedStatementsAnswerInBinary() throws SQLException {
        try (Connection connection = server.connect("useServerPrepStmts=true&cachePrepStmts=true")) {
            try (PreparedStatement query = connection.prepareStatement("SELECT ?, ?, ?, ?")) {
                for (int round = 0; round < 3; round++) {
                    query.setInt(1, -5 - round);
                    query.setString(2, "text");
                    query.setDouble(3, 1.5);
                    query.setNull(4, java.sql.Types.INTEGER);
                    try (ResultSet rows = query.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.getInt(1)).isEqualTo(-5 - round);
                        assertThat(rows.getString(2)).isEqualTo("text");
                        assertThat(rows.getDouble(3)).isEqualTo(1.5);
                        assertThat(rows.getObject(4)).isNull();
                        assertThat(rows.next()).isFalse();
                    }
                }
            }
            try (PreparedStatement query =
                            connection.prepareStatement("SELECT number FROM numbers('number' = '2500')");
                    ResultSet rows = query.executeQuery()) {
                long expected = 0;
                while (rows.next()) {
                    assertThat(rows.getLong(1)).isEqualTo(expected);
                    expected++;
                }
                assertThat(expected).isEqualTo(2500);
            }
            try (PreparedStatement show = connection.prepareStatement("SHOW DATABASES");
                    ResultSet rows = show.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("d");
            }
        }
    }

    @Test
    void everyResultOfSeveralStatementsArrives() throws SQLException {
        try (Connection connection = server.connect("allowMultiQueries=true");
                Statement statement = connection.createStatement()) {
            assertThat(statement.execute("SELECT 1; SET @b = 2; SELECT * FROM numbers('number' = '3'); SELECT @b"))
                    .isTrue();
            assertThat(column(statement.getResultSet())).containsExactly("1");
            assertThat(statement.getMoreResults()).isFalse();
            assertThat(statement.getUpdateCount()).isZero();
            assertThat(statement.getMoreResults()).isTrue();
            assertThat(column(statement.getResultSet())).containsExactly("0", "1", "2");
            assertThat(statement.getMoreResults()).isTrue();
            assertThat(column(statement.getResultSet())).containsExactly("2");
            assertThatThrownBy(() -> {
                        statement.execute("SELECT 1; SELECT nothing; SET @b = 3");
                        statement.getMoreResults();
                    })
                    .isInstanceOf(SQLException.class);
            assertThat(strings(statement, "SELECT @b")).containsExactly("2");
        }
    }

    @Test
    void packetsOver16MegabytesTravelBothWays() throws SQLException {
        String big = "0123456789abcdef".repeat((17 << 20) / 16);
        try (Connection connection = server.connect("");
                Statement statement = connection.createStatement()) {
            statement.execute("SET GLOBAL max_allowed_packet = 67108864");
        }
        try (Connection connection = server.connect("maxAllowedPacket=67108864");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT '" + big + "'")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1).equals(big)).isTrue();
        }
    }

    @Test
    void passwordsDecideWhoGetsIn() throws SQLException {
        try (Connection connection = server.connect("ann", EmbeddedServer.PASSWORD, "");
                Statement statement = connection.createStatement()) {
            assertThat(strings(statement, "SELECT current_user()")).containsExactly("'ann'@'%'");
            assertThatThrownBy(() -> statement.executeQuery("SHOW BACKENDS"))
                    .isInstanceOfSatisfying(SQLException.class, failure -> assertThat(failure.getErrorCode())
                            .isEqualTo(1227));
            assertThatThrownBy(() -> statement.executeQuery("SELECT * FROM d.v"))
                    .isInstanceOfSatisfying(SQLException.class, failure -> assertThat(failure.getErrorCode())
                            .isEqualTo(1142));
        }
        for (String[] login : new String[][] {{"ann", "wrong"}, {"ann", ""}, {"nobody", "x"}}) {
            assertThatThrownBy(() -> server.connect(login[0], login[1], "").close())
                    .isInstanceOfSatisfying(SQLException.class, failure -> assertThat(failure.getErrorCode())
                            .isEqualTo(1045))
                    .hasMessageContaining("Access denied for user");
        }
    }

    @Test
    void errorsNameTheirPlaceAndLeaveTheConnectionUsable() throws SQLException {
        try (Connection connection = server.connect("");
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("SELEC 1"))
                    .isInstanceOfSatisfying(SQLException.class, failure -> assertThat(failure.getErrorCode())
                            .isEqualTo(1064))
                    .hasMessageContaining("SELEC");
            assertThatThrownBy(() -> statement.execute("SELECT * FROM d.vv")).hasMessageContaining("vv");
            assertThatThrownBy(() -> statement.execute("USE nowhere"))
                    .isInstanceOfSatisfying(SQLException.class, failure -> assertThat(failure.getErrorCode())
                            .isEqualTo(1049));
            assertThat(strings(statement, "SELECT 3")).containsExactly("3");
        }
    }

    @Test
    void killAndTimeoutEndQueriesOnTheBackEnd() throws Exception {
        server.backend().keepSilent(true);
        try (Connection victim = server.connect("");
                Connection killer = server.connect("");
                Statement statement = victim.createStatement();
                Statement kill = killer.createStatement()) {
            long id =
                    Long.parseLong(strings(statement, "SELECT connection_id()").get(0));
            Thread thread = new Thread(() -> eventually(() -> server.sessions()
                            .find(id)
                            .flatMap(session -> session.running())
                            .isPresent()
                    && tryKill(kill, id)));
            thread.start();
            assertThatThrownBy(() -> statement.executeQuery("SELECT * FROM numbers('number' = '5')"))
                    .hasMessageContaining("cancelled by KILL");
            thread.join();
            statement.execute("SET query_timeout = 1");
            assertThatThrownBy(() -> statement.executeQuery("SELECT * FROM numbers('number' = '5')"))
                    .hasMessageContaining("killed by timeout checker");
            eventually(
                    () -> server.backend().cancelled().stream().anyMatch(reason -> reason.contains("timeout checker")));
        } finally {
            server.backend().keepSilent(false);
        }
    }

    @Test
    void aPassingFailureBeforeTheFirstRowIsRetried() throws SQLException {
        server.backend().failFetches(2);
        try (Connection connection = server.connect("");
                Statement statement = connection.createStatement()) {
            assertThat(strings(statement, "SELECT * FROM numbers('number' = '2')"))
                    .containsExactly("0", "1");
        }
    }

    @Test
    void aClientThatDoesNotReadStopsTheBackEndAndLeavingCancelsIt() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.mysqlPort())) {
            RawClient client = new RawClient(socket);
            client.login();
            long before = server.backend().sentChunks();
            client.query("SELECT * FROM numbers('number' = '100000000')");
            eventually(() -> server.backend().sentChunks() > before);
            // 100 million rows are 100000 chunks; buffers on the way hold far fewer.
            settle();
            assertThat(server.backend().sentChunks() - before).isLessThan(20_000);
        }
        eventually(() -> server.backend().cancelled().stream().anyMatch(reason -> reason.contains("client closed")));
    }

    @Test
    void malformedPacketsCloseTheirConnectionOnly() throws Exception {
        try (Connection healthy = server.connect("");
                Statement statement = healthy.createStatement()) {
            byte[][] attacks = {
                {1, 0, 0, 1, 0},
                {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 1},
                {4, 0, 0, 1, (byte) 0x85, (byte) 0xA6, (byte) 0xFF, 1},
                new byte[0],
            };
            for (byte[] attack : attacks) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.mysqlPort())) {
                    RawClient client = new RawClient(socket);
                    client.readPacket();
                    socket.getOutputStream().write(attack);
                    socket.shutdownOutput();
                    assertThat(client.readToEnd()).isLessThan(1000);
                }
            }
            assertThat(strings(statement, "SELECT 1")).containsExactly("1");
        }
        eventually(() -> server.sessions().size() == 0);
    }

    @Test
    void unsupportedStatementsAreNamed() throws SQLException {
        try (Connection connection = server.connect("");
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("INSERT IGNORE INTO d.t VALUES (1)"))
                    .isInstanceOfSatisfying(SQLException.class, failure -> assertThat(failure.getErrorCode())
                            .isEqualTo(1235))
                    .hasMessageContaining("INSERT IGNORE");
        }
    }

    /** Waits until the back end has sent nothing for a while. */
    private static void settle() {
        long seen = server.backend().sentChunks();
        long since = System.nanoTime();
        while (System.nanoTime() - since < Duration.ofMillis(300).toNanos()) {
            long now = server.backend().sentChunks();
            if (now != seen) {
                seen = now;
                since = System.nanoTime();
                assertThat(now).isLessThan(90_000);
            }
            Thread.onSpinWait();
        }
    }

    private static boolean tryKill(Statement statement, long id) {
        try {
            statement.execute("KILL QUERY " + id);
            return true;
        } catch (SQLException failure) {
            return false;
        }
    }

    private static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static List<String> strings(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return column(rows);
        }
    }

    private static List<String> column(ResultSet rows) throws SQLException {
        List<String> values = new ArrayList<>();
        while (rows.next()) {
            values.add(String.valueOf(rows.getString(1)));
        }
        return values;
    }

    /** Just enough of a client to send what a driver would not. */
    private static final class RawClient {
        private final Socket socket;
        private final DataInputStream in;

        RawClient(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
        }

        byte[] readPacket() throws IOException {
            int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
            in.readUnsignedByte();
            byte[] payload = new byte[length];
            in.readFully(payload);
            return payload;
        }

        int readToEnd() throws IOException {
            int count = 0;
            while (in.read() >= 0) {
                count++;
            }
            return count;
        }

        void login() throws IOException {
            readPacket();
            byte[] payload = new byte[32 + 5 + 1];
            payload[0] = (byte) 0x00;
            payload[1] = (byte) 0x82;
            byte[] user = "root".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            System.arraycopy(user, 0, payload, 32, user.length);
            write(payload, 1);
            assertThat(readPacket()[0]).isZero();
        }

        void query(String sql) throws IOException {
            byte[] text = sql.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            byte[] payload = new byte[text.length + 1];
            payload[0] = 3;
            System.arraycopy(text, 0, payload, 1, text.length);
            write(payload, 0);
        }

        private void write(byte[] payload, int sequence) throws IOException {
            byte[] packet = new byte[payload.length + 4];
            packet[0] = (byte) payload.length;
            packet[1] = (byte) (payload.length >>> 8);
            packet[2] = (byte) (payload.length >>> 16);
            packet[3] = (byte) sequence;
            System.arraycopy(payload, 0, packet, 4, payload.length);
            socket.getOutputStream().write(packet);
        }
    }
}
