// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.Grant;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.User;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.PartitionKey;
import org.thetis.catalog.schema.PartitionValue;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.binder.ReadRows;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.WireExprs;
import org.thetis.sql.lower.ExplainMode;
import org.thetis.sql.lower.InsertTarget;
import org.thetis.sql.lower.OutputColumn;
import org.thetis.sql.lower.PlannedQuery;
import org.thetis.sql.lower.TestCluster;
import org.thetis.sql.parser.SqlParser;
import org.thetis.sql.plan.BucketHash;
import org.thetis.wire.ThriftCodec;
import org.thetis.wire.thrift.LookupPlan;
import org.thetis.wire.thrift.QueryOptions;

/** Which queries are look-ups by key, what they look up, and how long their plans hold. */
class PointPlannerTest {
    private static final UserIdentity USER = new UserIdentity("reader", "%");
    private static final int BUCKETS = 16;

    private final TestCluster cluster = new TestCluster(3);
    private PlanScope scope = PlanScope.of(USER, "db", Map.of());

    @BeforeEach
    void tables() {
        unique("u", "k bigint not null, a int, b varchar(10)", 1);
        unique("i", "k int not null, v decimal(10,2), w datetime", 1);
        unique("two", "k int not null, s varchar(20) not null, v int", 2);
        cluster.distribute("two", List.of("k", "s"));
        unique("d", "k date not null, v int", 1);
        unique("dt", "k datetime not null, v int", 1);
        unique("dec", "k decimal(12,2) not null, v int", 1);
        unique("large", "k largeint not null, v int", 1);
        unique("truth", "k boolean not null, v int", 1);
        cluster.table("dup", "k int not null, v int", BUCKETS, 100);
        cluster.table("mor", "k int not null, v int", BUCKETS, 100);
        cluster.remodel("mor", KeysModel.UNIQUE, Map.of(), Map.of("enable_unique_key_merge_on_write", "false"));
        cluster.table(
                "parts", "day date not null, k bigint not null, v int", 4, 100, List.of("2024-01-01", "2024-02-01"));
        cluster.keys("parts", 2);
        cluster.remodel("parts", KeysModel.UNIQUE, Map.of(), Map.of());
        cluster.view("seen", "SELECT * FROM u");
    }

    private void unique(String name, String columns, int keys) {
        cluster.table(name, columns, BUCKETS, 100);
        cluster.keys(name, keys);
        cluster.remodel(name, KeysModel.UNIQUE, Map.of(), Map.of());
    }

    private CatalogSnapshot snapshot() {
        CatalogSnapshot now = CatalogSnapshot.EMPTY.withDatabase(Database.empty(1, "db", 0, Map.of()));
        for (String name : List.of("u", "i", "two", "d", "dt", "dec", "large", "truth", "dup", "mor", "parts")) {
            now = now.withTable(cluster.stored(name));
        }
        return now.withUser(reader(Privilege.SELECT));
    }

    private static User reader(Privilege privilege) {
        return User.of(USER, "").withGrants(List.of(new Grant(Scope.GLOBAL, Set.of(privilege))));
    }

    private PointDecision decide(String sql, Literal... parameters) {
        return decide(snapshot(), sql, parameters);
    }

    private PointDecision decide(CatalogSnapshot now, String sql, Literal... parameters) {
        Statement statement = new SqlParser().parse(sql);
        QueryOptions options = new QueryOptions(4096, 0, 0, 1000, "UTC", 0);
        return new PointPlanner(cluster.planner())
                .decide(
                        new PointPlanner.Request(
                                statement, now, scope, options, parameters.length, PointPlanner.noLiterals()),
                        cluster.context(parameters));
    }

    private PointPlan plan(String sql, Literal... parameters) {
        PointDecision decision = decide(sql, parameters);
        assertThat(decision.reason()).as(sql).isNull();
        return requireNonNull(decision.plan());
    }

    private @Nullable PointCall bind(String sql, Literal... parameters) {
        return plan(sql, parameters).bind(snapshot(), List.of(parameters));
    }

    private static byte[] bytes(int width, long value) {
        byte[] all = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
        return java.util.Arrays.copyOf(all, width);
    }

    // --- eligibility ---

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM u WHERE k = 1",
                "SELECT a + 1 AS x, upper(b), 7, 'seven' FROM u WHERE k = 1",
                "SELECT t.a FROM db.u AS t WHERE t.k = 1",
                "SELECT a FROM internal.db.u WHERE db.u.k = 1",
                "SELECT a FROM u WHERE 1 = K",
                "SELECT a FROM u WHERE k = -1",
                "SELECT a FROM u WHERE k IN (1, 2, 3)",
                "SELECT a FROM u WHERE k = 1 AND a > 5 AND b LIKE 'x%'",
                "SELECT a FROM u WHERE k = 1 AND k = 2",
                "SELECT a FROM u WHERE k = 1 ORDER BY a LIMIT 1",
                "SELECT a FROM u WHERE k = 1 LIMIT 10",
                "SELECT a FROM u WHERE k = NULL",
                "SELECT v FROM two WHERE s = 'x' AND k = 1",
                "SELECT v FROM two WHERE s IN ('x', 'y') AND k IN (1, 2)",
                "SELECT v FROM parts WHERE day = '2024-01-05' AND k = 3",
                "SELECT CASE WHEN a > 1 THEN b ELSE 'none' END FROM u WHERE k = 1",
                "SELECT k, k FROM u WHERE k = 1",
                "SELECT 1 FROM u WHERE k = 1",
            })
    void lookups(String sql) {
        assertThat(decide(sql).reason()).as(sql).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT a FROM u | there is no condition",
                "SELECT a FROM u WHERE a = 1 | key column k is not compared",
                "SELECT a FROM u WHERE k > 1 | key column k is not compared",
                "SELECT a FROM u WHERE k = a | key column k is not compared",
                "SELECT a FROM u WHERE k <=> 1 | key column k is not compared",
                "SELECT a FROM u WHERE k = 1 OR k = 2 | key column k is not compared",
                "SELECT a FROM u WHERE k NOT IN (1) | key column k is not compared",
                "SELECT a FROM u WHERE k = 1 + 1 | key column k is not compared",
                "SELECT v FROM two WHERE k = 1 | key column s is not compared",
                "SELECT v FROM parts WHERE k = 1 | key column day is not compared",
                "SELECT v FROM dup WHERE k = 1 | not a merge-on-write",
                "SELECT v FROM mor WHERE k = 1 | not a merge-on-write",
                "SELECT * FROM seen WHERE k = 1 | does not name a stored table",
                "SELECT count(*) FROM u WHERE k = 1 | more than a projection",
                "SELECT a FROM u WHERE k = 1 GROUP BY a | more than a projection",
                "SELECT DISTINCT a FROM u WHERE k = 1 | more than a projection",
                "SELECT row_number() OVER (ORDER BY a) FROM u WHERE k = 1 | more than a projection",
                "SELECT a FROM u WHERE k = 1 AND a IN (SELECT v FROM dup) | more than a projection",
                "SELECT u.a FROM u JOIN i ON u.k = i.k WHERE u.k = 1 | more than a projection",
                "SELECT a FROM u WHERE k = 1 UNION SELECT 2 | more than a projection",
                "WITH x AS (SELECT 1) SELECT a FROM u WHERE k = 1 | more than a projection",
                "SELECT a FROM u WHERE k = 1 LIMIT 0 | LIMIT or OFFSET",
                "SELECT a FROM u WHERE k = 1 LIMIT 1 OFFSET 1 | LIMIT or OFFSET",
                "SELECT a FROM u WHERE k IN (1, 2) LIMIT 1 | LIMIT or OFFSET",
                "SELECT a FROM u WHERE k IN (1, 2) ORDER BY a | ORDER BY of several rows",
                "SELECT a FROM u PARTITION (u) WHERE k = 1 | names a part of the table",
                "SELECT /*+ SET_VAR(query_timeout = 1) */ a FROM u WHERE k = 1 | has hints",
                "SELECT now() FROM u WHERE k = 1 | depends on the time",
                "SELECT user() FROM u WHERE k = 1 | depends on the time",
                "SELECT @x FROM u WHERE k = 1 | depends on the time",
                "SELECT rand() FROM u WHERE k = 1 | depends on the time or on chance",
                "SELECT nothing FROM u WHERE k = 1 | Unknown column",
                "SELECT a FROM u WHERE k = 1 AND false | more than a projection",
            })
    void othersAndWhy(String sql, String reason) {
        PointDecision decision = decide(sql);
        assertThat(decision.plan()).as(sql).isNull();
        assertThat(decision.reason()).as(sql).contains(reason);
    }

    // --- changes ---

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UPDATE u SET a = 5 WHERE k = 1 | k",
                "UPDATE u SET a = a + 1, b = upper(b) WHERE k = 1 | k a b",
                "UPDATE db.u AS t SET t.a = t.a * 2 WHERE t.k = 1 | k a",
                "UPDATE i SET w = now() WHERE k = 1 AND v > 5 | k",
                "UPDATE u SET a = rand() WHERE k IN (1, 2, 3) | k",
                "UPDATE two SET v = k WHERE k = 1 AND s = 'x' | k s",
                "DELETE FROM u WHERE k = 1 | k",
                "DELETE FROM u WHERE k IN (1, 2) AND a IS NULL | k",
                "DELETE FROM two WHERE s = 'x' AND k = 1 | k s",
                "DELETE FROM parts WHERE day = '2024-01-05' AND k = 3 | day k",
            })
    void changesByKeyAndTheColumnsTheyRead(String sql, String columns) {
        assertThat(plan(sql).outputs().stream().map(OutputColumn::name))
                .as(sql)
                .containsExactlyInAnyOrder(columns.split(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UPDATE u SET a = 5 WHERE k > 1 | key column k is not compared",
                "UPDATE u SET a = 5 | there is no condition",
                "UPDATE u SET k = 5 WHERE k = 1 | Only value columns",
                "UPDATE u SET a = (SELECT max(v) FROM dup) WHERE k = 1 | reads more than its table",
                "UPDATE u SET a = i.v FROM i WHERE u.k = 1 AND i.k = 1 | reads more than its table",
                "UPDATE u SET a = 5 WHERE k = 1 AND b = now() | depends on the time",
                "UPDATE u SET a = 5 WHERE k = 1 AND a IN (SELECT v FROM dup) | more than a projection",
                "UPDATE mor SET v = 1 WHERE k = 1 | not a merge-on-write",
                "DELETE FROM mor WHERE k = 1 | not a merge-on-write",
                "DELETE FROM dup WHERE k = 1 | reads more than its table, or no rows",
                "DELETE FROM parts PARTITION (parts) WHERE day = '2024-01-05' AND k = 3 | reads more than its table",
                "DELETE FROM u USING i WHERE u.k = 1 AND i.k = 1 | reads more than its table",
                "DELETE FROM two WHERE k = 1 | key column s is not compared",
                "INSERT INTO u VALUES (1, 2, 'x') | neither a query nor a change",
            })
    void otherChangesAndWhy(String sql, String reason) {
        PointDecision decision = decide(sql);
        assertThat(decision.plan()).as(sql).isNull();
        assertThat(decision.reason()).as(sql).contains(reason);
    }

    @Test
    void whatAChangeSetsIsNoPartOfItsLookUp() {
        Literal[] values = {Literal.integer(7), Literal.string("x"), Literal.integer(1), Literal.integer(3)};
        PointPlan plan = plan("UPDATE u SET a = a + ?, b = ? WHERE k = ? AND a + ? > 0", values);
        assertThat(plan.accepts(List.of(
                        Literal.decimal(new java.math.BigDecimal("1.5")), Literal.untypedNull(), values[0], values[3])))
                .isTrue();
        assertThat(plan.accepts(List.of(values[0], values[1], values[2], Literal.integer(4))))
                .as("a value inside the condition is part of the plan")
                .isFalse();
        PointCall call = requireNonNull(plan.bind(snapshot(), List.of(values)));
        assertThat(call.tablets().get(0).keys().get(0)).isEqualTo(bytes(8, 1));
    }

    @Test
    void changesAreWrittenFromTheRowsThatWereRead() {
        Statement update = new SqlParser().parse("UPDATE u SET a = a + 1, b = 'new' WHERE k = 1 AND a > 100");
        ReadRows rows =
                new ReadRows(List.of("k", "a"), List.of(List.of(Literal.bigint(1), new Literal(41L, DataType.INT))));
        PlannedQuery write =
                cluster.planner().planRead(update, rows, cluster.context()).orElseThrow();
        assertThat(write.explain(ExplainMode.OPTIMIZED)).noneMatch(line -> line.contains("Scan"));
        InsertTarget target = write.insertTarget().orElseThrow();
        assertThat(target.columns().columns().stream().map(SchemaColumn::name)).containsExactly("k", "a", "b");
        assertThat(target.columns().partialUpdate()).isTrue();
        assertThat(target.columns().existingOnly()).isTrue();
        assertThat(target.columns().readBefore()).isTrue();
        ReadRows tooLittle = new ReadRows(List.of("k"), List.of(List.of(Literal.bigint(1))));
        assertThat(cluster.planner().planRead(update, tooLittle, cluster.context()))
                .isEmpty();
    }

    @Test
    void theReasonIsOfInterestWhenAKeyIsNamed() {
        assertThat(decide("SELECT v FROM two WHERE k = 1").namesKeys()).isTrue();
        assertThat(decide("SELECT v FROM mor WHERE k = 1").namesKeys()).isTrue();
        assertThat(decide("SELECT v FROM two WHERE v = 1").namesKeys()).isFalse();
        assertThat(decide("SELECT v FROM dup WHERE k = 1").namesKeys()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"show_hidden_columns", "skip_delete_sign", "skip_delete_bitmap", "skip_delete_predicate"})
    void variablesThatShowOtherRows(String name) {
        cluster.set(name, "true");
        assertThat(decide("SELECT a FROM u WHERE k = 1").reason()).isEqualTo(name + " is true");
    }

    @Test
    void theSwitch() {
        cluster.set("enable_short_circuit_query", "false");
        assertThat(decide("SELECT a FROM u WHERE k = 1").reason()).isEqualTo("enable_short_circuit_query is false");
    }

    // --- what is sent ---

    @Test
    void outputsAreThoseOfTheFullPlan() {
        for (String sql : List.of(
                "SELECT * FROM u WHERE k = 1",
                "SELECT u.a, a + 1, 7, 'x' AS y, concat(b, '-'), -k FROM u WHERE k = 1",
                "SELECT t.k, cast(a AS string), coalesce(a, 0) FROM u t WHERE k = 1 AND a = 3")) {
            List<OutputColumn> full = cluster.plan(sql).outputs();
            assertThat(plan(sql).outputs()).as(sql).isEqualTo(full);
        }
    }

    @Test
    void onlyUsedColumnsAreReadAndTheDeleteSignIsNotAmongThem() {
        LookupPlan wire =
                ThriftCodec.read(plan("SELECT b FROM u WHERE k = 1 AND a = 3").wire(), new LookupPlan());
        assertThat(wire.getColumn_unique_ids()).containsExactly(1, 2);
        assertThat(wire.getConjuncts()).hasSize(1);
        assertThat(wire.getParameter_types()).isEmpty();
        LookupPlan constant =
                ThriftCodec.read(plan("SELECT 1 FROM u WHERE k = 1").wire(), new LookupPlan());
        assertThat(constant.isSetConjuncts()).isFalse();
    }

    @Test
    void comparisonsWithParametersAreSentOnce() {
        String sql = "SELECT a FROM i2 WHERE k = ? AND v >= ? AND b <> ?";
        unique("i2", "k int not null, a int, v decimal(10,2), b varchar(3)", 1);
        Literal[] values = {Literal.integer(1), Literal.integer(7), Literal.string("long text")};
        CatalogSnapshot now = snapshot().withTable(cluster.stored("i2"));
        PointDecision decision = decide(now, sql, values);
        PointPlan plan = requireNonNull(decision.plan());
        assertThat(decision.open()).containsExactlyInAnyOrder(0, 1, 2);
        LookupPlan wire = ThriftCodec.read(plan.wire(), new LookupPlan());
        assertThat(wire.getParameter_types()).hasSize(2);
        assertThat(wire.getConjuncts()).hasSize(2);
        PointCall call = requireNonNull(plan.bind(now, List.of(values)));
        ByteBuffer expected = ByteBuffer.allocate(9 + 1 + 4 + 9).order(ByteOrder.LITTLE_ENDIAN);
        expected.put((byte) 0).putLong(700).put((byte) 0).putInt(9).put("long text".getBytes(StandardCharsets.UTF_8));
        assertThat(call.parameters()).isEqualTo(expected.array());
        // 7.001 is no value of the column, so only a comparison in a wider type can tell.
        assertThat(plan.bind(now, List.of(values[0], Literal.decimal(new java.math.BigDecimal("7.001")), values[2])))
                .isNull();
        assertThat(plan.bind(now, List.of(values[0], Literal.untypedNull(), values[2])))
                .isEqualTo(PointCall.EMPTY);
    }

    @Test
    void otherParametersArePartOfThePlan() {
        Literal[] values = {Literal.integer(1), Literal.string("x")};
        PointPlan plan = plan("SELECT concat(b, ?) FROM u WHERE k = ?", values[1], values[0]);
        assertThat(plan.accepts(List.of(values[1], Literal.integer(2)))).isTrue();
        assertThat(plan.accepts(List.of(Literal.string("y"), Literal.integer(2))))
                .isFalse();
        assertThat(plan.accepts(List.of(values[1]))).isFalse();
    }

    // --- keys ---

    @Test
    void keysGoToTheBucketOfTheirHash() {
        PointPlan plan = plan("SELECT * FROM u WHERE k = ?", Literal.bigint(0));
        List<Long> tablets = tablets("u");
        for (long key : new long[] {0, 1, -1, 42, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40}) {
            PointCall call = requireNonNull(plan.bind(snapshot(), List.of(Literal.bigint(key))));
            assertThat(call.tablets()).hasSize(1);
            PointCall.TabletCall one = call.tablets().get(0);
            assertThat(one.keys()).hasSize(1);
            assertThat(one.keys().get(0)).isEqualTo(bytes(8, key));
            assertThat(one.version()).isEqualTo(2);
            assertThat(one.tablet().id())
                    .isEqualTo(tablets.get(BucketHash.bucket(List.of(Literal.bigint(key)), BUCKETS)));
        }
    }

    @Test
    void keysOfSeveralColumns() {
        PointCall call = requireNonNull(
                bind("SELECT * FROM two WHERE s = ? AND k = ?", Literal.string("é "), Literal.bigint(-2)));
        ByteBuffer key = ByteBuffer.allocate(4 + 4 + 3).order(ByteOrder.LITTLE_ENDIAN);
        key.putInt(-2).putInt(3).put("é ".getBytes(StandardCharsets.UTF_8));
        PointCall.TabletCall one = call.tablets().get(0);
        assertThat(one.keys().get(0)).isEqualTo(key.array());
        int bucket = BucketHash.bucket(List.of(Literal.integer(-2), Literal.string("é ")), BUCKETS);
        assertThat(one.tablet().id()).isEqualTo(tablets("two").get(bucket));
    }

    private List<Long> tablets(String table) {
        List<Long> ids = new ArrayList<>();
        cluster.stored(table).partitions().values().forEach(partition -> partition
                .tablets()
                .forEach(tablet -> ids.add(tablet.id())));
        return ids;
    }

    /** The key a constant becomes, "empty" when it equals none, "full" when a full plan has to tell. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "i | 5 | 5",
                "i | '5' | 5",
                "i | ' 5 ' | 5",
                "i | '5.0' | 5",
                "i | 5.0 | 5",
                "i | 5.5 | full",
                "i | '5.5' | full",
                "i | 'abc' | full",
                "i | '' | full",
                "i | 3000000000 | empty",
                "i | -2147483648 | -2147483648",
                "i | -2147483649 | empty",
                "i | 99999999999999999999 | full",
                "i | NULL | empty",
                "i | true | 1",
                "i | 1e0 | 1",
                "d | '2024-02-29' | 19782",
                "d | '2024-02-29 00:00:00' | 19782",
                "d | '2024-02-29 10:00:00' | full",
                "d | 20240229 | 19782",
                "d | 'no date' | full",
                "dt | '1970-01-02' | 86400000000",
                "dt | '1970-01-01 00:00:01' | 1000000",
                "dt | '1970-01-01 00:00:01.5' | empty",
                "dec | 1.5 | 150",
                "dec | '1.50' | 150",
                "dec | 7 | 700",
                "dec | 1.005 | full",
                "dec | -0.0 | 0",
                "large | 5 | 5",
                "large | 18446744073709551616 | 18446744073709551616",
                "truth | true | 1",
                "truth | 'false' | 0",
                "truth | 2 | full",
            })
    void constantsBecomeKeys(String table, String constant, String expected) {
        PointDecision decision = decide("SELECT v FROM " + table + " WHERE k = " + constant);
        PointPlan plan = requireNonNull(decision.plan(), () -> constant + ": " + decision.reason());
        PointCall call = plan.bind(snapshot(), List.of());
        if (expected.equals("full")) {
            assertThat(call).isNull();
        } else if (expected.equals("empty")) {
            assertThat(call).isEqualTo(PointCall.EMPTY);
        } else {
            byte[] key = requireNonNull(call).tablets().get(0).keys().get(0);
            byte[] whole = WireExprs.littleEndian(new java.math.BigInteger(expected));
            assertThat(key).isEqualTo(java.util.Arrays.copyOf(whole, key.length));
        }
    }

    @Test
    void listsAreEveryCombinationOnce() {
        PointCall call = requireNonNull(bind("SELECT * FROM two WHERE k IN (1, 2, 1) AND s IN ('a', 'b', NULL)"));
        List<String> keys = new ArrayList<>();
        call.tablets().forEach(tablet -> tablet.keys().forEach(key -> keys.add(java.util.Arrays.toString(key))));
        assertThat(keys).hasSize(4).doesNotHaveDuplicates();
        assertThat(call.tablets().stream().map(one -> one.tablet().id())).doesNotHaveDuplicates();
    }

    @Test
    void listsAreComparedInTheTypeCommonToThem() {
        assertThat(requireNonNull(bind("SELECT v FROM i WHERE k IN (1, 3000000000)"))
                        .tablets())
                .hasSize(1);
        assertThat(bind("SELECT v FROM i WHERE k IN (NULL)")).isEqualTo(PointCall.EMPTY);
        // One value that does not fit makes the others texts.
        assertThat(bind("SELECT v FROM i WHERE k IN ('1', 'x')")).isNull();
        assertThat(bind("SELECT v FROM i WHERE k IN (3000000000, '1')")).isNull();
        assertThat(bind("SELECT v FROM dt WHERE k IN ('1970-01-01 00:00:01.5')"))
                .isNull();
    }

    @Test
    void tooManyKeysAreNoLookup() {
        StringBuilder list = new StringBuilder("0");
        for (int i = 1; i < 40; i++) {
            list.append(", ").append(i);
        }
        String texts = list.toString().replaceAll("(\\d+)", "'$1'");
        assertThat(bind("SELECT v FROM two WHERE k IN (" + list + ") AND s IN (" + texts + ")"))
                .isNull();
    }

    // --- partitions ---

    @Test
    void keysGoToTheirPartition() {
        OlapTable table = cluster.stored("parts");
        PointPlan plan = plan("SELECT v FROM parts WHERE day = ? AND k = 7", Literal.string("2024-01-15"));
        PointCall second = requireNonNull(plan.bind(snapshot(), List.of(Literal.string("2024-01-15"))));
        assertThat(partitionOf(table, second)).isEqualTo("p2");
        assertThat(partitionOf(table, requireNonNull(plan.bind(snapshot(), List.of(Literal.string("2023-12-31"))))))
                .isEqualTo("p1");
        assertThat(plan.bind(snapshot(), List.of(Literal.string("2024-02-01")))).isEqualTo(PointCall.EMPTY);

        // A partition that came later is found, and one that is gone is not.
        Partition first = table.partitions().values().get(0);
        PartitionItem february = new PartitionItem.Range(
                PartitionKey.of(PartitionValue.parse(DataType.DATE, "2024-02-01")),
                PartitionKey.of(PartitionValue.parse(DataType.DATE, "2024-03-01")));
        OlapTable more = table.withPartition(
                new Partition(99, "p3", february, first.distribution(), 1, Map.of(), 5, 0, 5, first.indexes()));
        PointCall third = requireNonNull(plan.bind(snapshot().withTable(more), List.of(Literal.string("2024-02-01"))));
        assertThat(third.tablets().get(0).version()).isEqualTo(5);
        OlapTable fewer = table.withoutPartition(first.id());
        assertThat(plan.bind(snapshot().withTable(fewer), List.of(Literal.string("2023-12-31"))))
                .isEqualTo(PointCall.EMPTY);
    }

    private static String partitionOf(OlapTable table, PointCall call) {
        for (Partition partition : table.partitions().values()) {
            if (partition.tablets().contains(call.tablets().get(0).tablet())) {
                return partition.name();
            }
        }
        return "none";
    }

    // --- how long plans hold ---

    @Test
    void loadsDoNotEndPlansAndTheirVersionsAreRead() {
        CatalogSnapshot now = snapshot();
        PointPlan plan =
                requireNonNull(decide(now, "SELECT a FROM u WHERE k = 1").plan());
        long partition = cluster.stored("u").partitions().values().get(0).id();
        long table = cluster.stored("u").id();
        for (long version = 3; version < 10; version++) {
            long next = version;
            now = now.withTable(1, table, old -> old.withPartition(partition, p -> p.withVisible(next, next)));
            assertThat(plan.isCurrent(now, scope)).isTrue();
            assertThat(requireNonNull(plan.bind(now, List.of()))
                            .tablets()
                            .get(0)
                            .version())
                    .isEqualTo(version);
        }
    }

    @Test
    void whatEndsPlans() {
        CatalogSnapshot now = snapshot();
        PointPlan plan =
                requireNonNull(decide(now, "SELECT a FROM u WHERE k = 1").plan());
        OlapTable table = cluster.stored("u");
        assertThat(plan.isCurrent(now, scope)).isTrue();
        assertThat(plan.isCurrent(now.withoutTable(1, table.id()), scope)).isFalse();
        assertThat(plan.isCurrent(now.withTable(table.renamed("v")), scope)).isFalse();
        assertThat(plan.isCurrent(now.withTable(table.withIndexes(List.of(table.baseIndex()))), scope))
                .isFalse();
        assertThat(plan.isCurrent(
                        now.withTable(table.withProperties(table.properties().with(Map.of("x", "y")))), scope))
                .isFalse();
        assertThat(plan.isCurrent(now.withDatabase(Database.empty(1, "other", 0, Map.of())), scope))
                .isFalse();
        assertThat(plan.isCurrent(now.withUser(reader(Privilege.LOAD)), scope)).isFalse();
        assertThat(plan.isCurrent(now.withoutUser(USER), scope)).isFalse();
        assertThat(plan.isCurrent(now.withGlobalVariable("query_timeout", "5"), scope))
                .isFalse();
        assertThat(plan.isCurrent(now, PlanScope.of(USER, "elsewhere", Map.of())))
                .isFalse();
        assertThat(plan.isCurrent(now, PlanScope.of(USER, "db", Map.of("time_zone", "UTC"))))
                .isFalse();
        // Someone else's rights are of no account, and what was true again is.
        assertThat(plan.isCurrent(now.withUser(User.of(new UserIdentity("x", "%"), "")), scope))
                .isTrue();
        assertThat(plan.isCurrent(now, PlanScope.of(USER, "db", Map.of()))).isTrue();
    }

    @Test
    void aTableOfTheSameNameIsAnother() {
        CatalogSnapshot now = snapshot();
        PointPlan plan =
                requireNonNull(decide(now, "SELECT a FROM u WHERE k = 1").plan());
        OlapTable before = cluster.stored("u");
        unique("u", "k bigint not null, a int, b varchar(10)", 1);
        CatalogSnapshot after = now.withoutTable(1, before.id()).withTable(cluster.stored("u"));
        assertThat(plan.isCurrent(after, scope)).isFalse();
    }

    @Test
    void withoutTheRightThereIsNoPlan() {
        CatalogSnapshot now = snapshot().withUser(reader(Privilege.LOAD));
        assertThat(decide(now, "SELECT a FROM u WHERE k = 1").reason()).isEqualTo("the user may not read the table");
    }
}
