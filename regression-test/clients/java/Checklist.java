// SPDX-License-Identifier: Apache-2.0

import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Objects;

/** The checklist through a JDBC driver: `java Checklist PORT mysql|mariadb`, once per set of connection properties. */
public final class Checklist {
    private static final List<String> OPTIONS = List.of(
            "",
            "?useServerPrepStmts=true&cachePrepStmts=true",
            "?rewriteBatchedStatements=true",
            "?useCursorFetch=true&defaultFetchSize=2",
            "?useSSL=false&allowPublicKeyRetrieval=true&useUnicode=true&characterEncoding=utf8&serverTimezone=UTC",
            "?allowMultiQueries=true",
            "?useCompression=true",
            "?sessionVariables=query_timeout=60");
    private static final String TEXT = "hé'\\日";
    private static final String HUGE = "170141183460469231731687303715884105727";

    private static int failures;

    private interface Step {
        void run() throws Exception;
    }

    private static void step(String name, Step step) {
        try {
            step.run();
        } catch (Exception | AssertionError failure) {
            failures++;
            System.out.println("FAIL " + name + ": " + failure);
        }
    }

    private static void same(Object actual, Object expected) {
        if (!Objects.equals(actual, expected)) {
            throw new AssertionError("expected " + expected + ", got " + actual);
        }
    }

    private static int count(ResultSet rows) throws SQLException {
        int count = 0;
        while (rows.next()) {
            count++;
        }
        return count;
    }

    public static void main(String[] arguments) {
        String base = "jdbc:" + arguments[1] + "://127.0.0.1:" + arguments[0] + "/";
        for (String option : OPTIONS) {
            step("connect " + option, () -> {
                try (Connection setUp = DriverManager.getConnection(base + option, "root", "")) {
                    setUp.createStatement().execute("CREATE DATABASE IF NOT EXISTS jdbc_checklist");
                }
                String url = base + "jdbc_checklist" + option;
                try (Connection connection = DriverManager.getConnection(url, "root", "")) {
                    all(connection, arguments[1], option);
                }
            });
        }
        if (arguments[1].equals("mysql")) {
            step("loadbalance", () -> {
                // The second of them is dead: nobody listens on port 1.
                for (String second : List.of("127.0.0.1:" + arguments[0], "127.0.0.1:1")) {
                    String url = "jdbc:mysql:loadbalance://127.0.0.1:" + arguments[0] + "," + second
                            + "/jdbc_checklist?useServerPrepStmts=true&cachePrepStmts=true";
                    for (int i = 0; i < 10; i++) {
                        try (Connection connection = DriverManager.getConnection(url, "root", "");
                                PreparedStatement one = connection.prepareStatement("SELECT v, n, k FROM jdbc_look_ups.kv WHERE k = ?")) {
                            one.setLong(1, 1);
                            row(one.executeQuery(), 1);
                        }
                    }
                }
            });
        }
        System.exit(failures == 0 ? 0 : 1);
    }

    private static void all(Connection connection, String scheme, String option) throws SQLException {
        Statement statement = connection.createStatement();
        statement.execute("DROP TABLE IF EXISTS t");
        statement.execute("CREATE TABLE t (a INT, b BIGINT, c DOUBLE, d DECIMAL(20,4), e VARCHAR(100), f DATE, g DATETIME(6), h BOOLEAN,"
                + " i LARGEINT, j TINYINT, k FLOAT, l CHAR(10), m STRING, n SMALLINT) DUPLICATE KEY(a) DISTRIBUTED BY HASH(a) BUCKETS 1"
                + " PROPERTIES('replication_num'='1')");
        step("look-ups " + option, () -> lookUps(connection));
        step("insert " + option, () -> insert(connection));
        step("select " + option, () -> select(connection));
        step("database metadata " + option, () -> databaseMetadata(connection));
        step("result metadata " + option, () -> resultMetadata(connection));
        step("transaction " + option, () -> {
            connection.setAutoCommit(false);
            statement.executeUpdate("INSERT INTO t(a) VALUES (99)");
            connection.commit();
            connection.setAutoCommit(true);
            same(count(statement.executeQuery("SELECT a FROM t WHERE a = 99")), 1);
        });
        step("statement batch " + option, () -> {
            statement.addBatch("INSERT INTO t(a) VALUES (100)");
            statement.addBatch("INSERT INTO t(a) VALUES (101)");
            same(statement.executeBatch().length, 2);
        });
        step("failing batch " + option, () -> {
            statement.addBatch("INSERT INTO nowhere(a) VALUES (100)");
            try {
                statement.executeBatch();
                throw new AssertionError("no error");
            } catch (BatchUpdateException expected) {
                statement.clearBatch();
            }
        });
        step("timeout " + option, () -> timeout(connection));
        step("valid afterwards " + option, () -> same(connection.isValid(5), true));
        if (option.contains("allowMultiQueries")) {
            step("multi " + option, () -> {
                statement.execute("SELECT 1; SELECT 2");
                same(statement.getMoreResults(), true);
                same(statement.getMoreResults(), false);
            });
        }
        step("unknown column " + option, () -> {
            try {
                statement.executeQuery("SELECT nope FROM t");
                throw new AssertionError("no error");
            } catch (SQLException expected) {
                same(expected.getErrorCode(), 1054);
                same(expected.getSQLState(), "42S22");
            }
        });
        step("stream " + option, () -> {
            Statement stream = connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
            stream.setFetchSize(scheme.equals("mysql") ? Integer.MIN_VALUE : 10);
            same(count(stream.executeQuery("SELECT number FROM numbers('number'='100000')")), 100_000);
            stream.close();
        });
        step("session " + option, () -> {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setReadOnly(true);
            connection.setReadOnly(false);
            same(connection.getCatalog(), "jdbc_checklist");
        });
    }

    private static void insert(Connection connection) throws SQLException {
        PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
        for (int i = 1; i <= 5; i++) {
            insert.setInt(1, i);
            insert.setLong(2, 1L << 60);
            insert.setDouble(3, 1.25);
            insert.setBigDecimal(4, new BigDecimal("12.5"));
            insert.setString(5, TEXT);
            insert.setDate(6, Date.valueOf("2024-02-29"));
            insert.setTimestamp(7, Timestamp.valueOf("2024-02-29 12:13:14.5"));
            insert.setBoolean(8, true);
            insert.setString(9, HUGE);
            insert.setByte(10, (byte) -3);
            insert.setFloat(11, 2.5f);
            insert.setString(12, "ch");
            insert.setNull(13, Types.VARCHAR);
            insert.setShort(14, (short) 7);
            insert.addBatch();
        }
        same(insert.executeBatch().length, 5);
    }

    private static void select(Connection connection) throws SQLException {
        PreparedStatement select = connection.prepareStatement("SELECT * FROM t WHERE a > ? AND e = ? ORDER BY a");
        for (int round = 0; round < 3; round++) {
            select.setInt(1, 0);
            select.setString(2, TEXT);
            ResultSet rows = select.executeQuery();
            int row = 0;
            while (rows.next()) {
                same(rows.getInt(1), ++row);
                same(rows.getLong(2), 1L << 60);
                same(rows.getDouble(3), 1.25);
                same(rows.getBigDecimal(4), new BigDecimal("12.5000"));
                same(rows.getString(5), TEXT);
                same(rows.getDate(6).toString(), "2024-02-29");
                same(rows.getTimestamp(7), Timestamp.valueOf("2024-02-29 12:13:14.5"));
                same(rows.getObject(7, LocalDateTime.class), LocalDateTime.of(2024, 2, 29, 12, 13, 14, 500_000_000));
                same(rows.getBoolean(8), true);
                same(rows.getString(9), HUGE);
                same(rows.getByte(10), (byte) -3);
                same(rows.getFloat(11), 2.5f);
                same(rows.getString(12), "ch");
                same(rows.getString(13), null);
                same(rows.wasNull(), true);
                same(rows.getShort(14), (short) 7);
            }
            same(row, 5);
        }
    }

    private static void databaseMetadata(Connection connection) throws SQLException {
        DatabaseMetaData metadata = connection.getMetaData();
        same(count(metadata.getTables("jdbc_checklist", null, "%", new String[] {"TABLE"})), 1);
        ResultSet columns = metadata.getColumns("jdbc_checklist", null, "t", "%");
        int column = 0;
        while (columns.next()) {
            if (++column == 4) {
                same(columns.getInt("DATA_TYPE"), Types.DECIMAL);
                same(columns.getInt("DECIMAL_DIGITS"), 4);
            }
        }
        same(column, 14);
        same(metadata.getCatalogs().next(), true);
        same(metadata.getTypeInfo().next(), true);
        same(metadata.getTableTypes().next(), true);
        for (ResultSet rows : List.of(
                metadata.getPrimaryKeys("jdbc_checklist", null, "t"),
                metadata.getIndexInfo("jdbc_checklist", null, "t", false, false),
                metadata.getImportedKeys("jdbc_checklist", null, "t"),
                metadata.getProcedures("jdbc_checklist", null, "%"),
                metadata.getFunctions("jdbc_checklist", null, "%"))) {
            rows.close();
        }
    }

    private static void resultMetadata(Connection connection) throws SQLException {
        PreparedStatement select = connection.prepareStatement("SELECT a, d, e, count(*) OVER () AS cc, a + 1 AS x FROM t WHERE a > ?");
        same(select.getParameterMetaData().getParameterCount(), 1);
        select.setInt(1, 0);
        ResultSetMetaData metadata = select.executeQuery().getMetaData();
        same(metadata.getColumnCount(), 5);
        same(metadata.getColumnLabel(4), "cc");
        same(metadata.getPrecision(2), 20);
        same(metadata.getScale(2), 4);
        same(metadata.getTableName(1), "t");
    }

    /** Rows by key, again and again: prepared, as text, several at once, and some that are not there. */
    private static void lookUps(Connection connection) throws SQLException {
        Statement statement = connection.createStatement();
        // Of its own: the steps on metadata count the tables of the other.
        statement.execute("CREATE DATABASE IF NOT EXISTS jdbc_look_ups");
        statement.execute("DROP TABLE IF EXISTS jdbc_look_ups.kv");
        statement.execute("CREATE TABLE jdbc_look_ups.kv (k BIGINT, v VARCHAR(50), n DECIMAL(10,2)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 2"
                + " PROPERTIES('replication_num'='1', 'store_row_column'='true')");
        statement.execute("INSERT INTO jdbc_look_ups.kv VALUES (1, '" + TEXT.replace("'", "''").replace("\\", "\\\\") + "', 1.50), (2, NULL, NULL), (-3, '', 0)");
        try (PreparedStatement one = connection.prepareStatement("SELECT v, n, k FROM jdbc_look_ups.kv WHERE k = ?");
                PreparedStatement several = connection.prepareStatement("SELECT v FROM jdbc_look_ups.kv WHERE k IN (?, ?, ?)")) {
            for (int round = 0; round < 5; round++) {
                for (long key = -3; key <= 4; key++) {
                    one.setLong(1, key);
                    row(one.executeQuery(), key);
                    row(statement.executeQuery("SELECT v, n, k FROM jdbc_look_ups.kv WHERE k = " + key), key);
                }
                several.setLong(1, -3);
                several.setLong(2, 1);
                several.setLong(3, 17);
                same(count(several.executeQuery()), 2);
            }
        }
    }

    private static void row(ResultSet rows, long key) throws SQLException {
        boolean exists = key == -3 || key == 1 || key == 2;
        same(rows.next(), exists);
        if (exists) {
            same(rows.getString(1), key == 1 ? TEXT : key == 2 ? null : "");
            same(rows.getBigDecimal(2), key == 2 ? null : new BigDecimal(key == 1 ? "1.50" : "0.00"));
            same(rows.getLong(3), key);
            same(rows.next(), false);
        }
    }

    private static void timeout(Connection connection) throws SQLException {
        Statement slow = connection.createStatement();
        slow.setQueryTimeout(1);
        long begin = System.nanoTime();
        try {
            slow.executeQuery("SELECT count(*) FROM numbers('number'='300000') a, numbers('number'='300000') b WHERE a.number * b.number = 7").next();
        } catch (SQLException expected) {
            if ((System.nanoTime() - begin) / 1e9 > 15) {
                throw expected;
            }
            return;
        }
        throw new AssertionError("no timeout");
    }

    private Checklist() {}
}
