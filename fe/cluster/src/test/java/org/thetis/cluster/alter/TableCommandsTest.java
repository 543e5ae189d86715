// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.ShowCreate;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.schema.BoundValue;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.PartitionDefinition;
import org.thetis.catalog.schema.PartitionKind;
import org.thetis.catalog.schema.PartitionSpec;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.type.DataType;
import org.thetis.cluster.testing.FakeBackend;
import org.thetis.cluster.testing.TestCluster;

class TableCommandsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    Path directory;

    private static ErrorCode codeOf(Throwable failure) {
        return ((ThetisException) failure).code();
    }

    private static PartitionDefinition lessThan(String name, String bound) {
        return new PartitionDefinition.LessThan(name, false, List.of(BoundValue.of(bound)), Map.of());
    }

    private static CreateTableRequest partitioned(String name, List<PartitionDefinition> partitions) {
        return new CreateTableRequest(
                "d",
                name,
                false,
                List.of(SchemaColumn.of("day", DataType.DATE, false), SchemaColumn.of("v", DataType.INT, true)),
                null,
                List.of(),
                new PartitionSpec(PartitionKind.RANGE, List.of("day")),
                partitions,
                null,
                List.of(),
                "",
                Map.of());
    }

    @Test
    void tableNeedsNoClauses() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            CreateTableRequest request = new CreateTableRequest(
                    "d",
                    "t",
                    false,
                    List.of(SchemaColumn.of("a", DataType.INT, true), SchemaColumn.of("b", DataType.varchar(10), true)),
                    null,
                    List.of(),
                    PartitionSpec.UNPARTITIONED,
                    List.of(),
                    null,
                    List.of(),
                    "",
                    Map.of());
            assertThat(test.cluster().tables().create(request)).isTrue();
            assertThat(ShowCreate.text(test.table("t")))
                    .contains(
                            "DUPLICATE KEY(`a`, `b`)",
                            "DISTRIBUTED BY RANDOM BUCKETS AUTO",
                            "\"tag.location.default: 1\"");
            assertThat(test.backends.get(0).tablets).hasSize(1);
            assertThatThrownBy(() -> test.cluster().tables().create(request)).hasMessage("Table 't' already exists");
        }
    }

    @Test
    void replicasGoToDistinctBackendsAndSpread() {
        try (TestCluster test = new TestCluster(directory, 3, Map.of())) {
            OlapTable table = test.createTable("t", 2, 6);
            for (Tablet tablet : table.tablets()) {
                Set<Long> backends = new HashSet<>(
                        tablet.replicas().stream().map(Replica::backendId).toList());
                assertThat(backends).hasSize(2);
            }
            assertThat(test.backends)
                    .allSatisfy(backend -> assertThat(backend.tablets).hasSize(4));
            assertThatThrownBy(() -> test.createTable("u", 4, 1))
                    .hasMessageContaining("replication num is 4, available backend num is 3");
        }
    }

    @Test
    void failedCreateLeavesNothing() {
        try (TestCluster test = new TestCluster(directory, 2, Map.of())) {
            FakeBackend bad = test.backends.get(1);
            bad.failCreates = true;
            assertThatThrownBy(() -> test.createTable("t", 2, 3)).hasMessageContaining("told to fail");
            assertThat(test.cluster().catalog().snapshot().getDatabase("d").findTable("t"))
                    .isEmpty();
            TestCluster.await(
                    "tablets dropped", () -> test.backends.get(0).tablets.isEmpty());
            bad.failCreates = false;
            test.createTable("t", 2, 3);
            assertThat(bad.tablets).hasSize(3);
        }
    }

    @Test
    void partitionsComeAndGoAndSurviveRestart() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            TableCommands tables = test.cluster().tables();
            tables.create(partitioned("t", List.of(lessThan("p1", "2024-01-01"), lessThan("p2", "2024-02-01"))));
            tables.addPartitions("d", "t", List.of(lessThan("p3", "2024-03-01")), false, null);
            assertThatThrownBy(() -> tables.addPartitions("d", "t", List.of(lessThan("p3", "2024-04-01")), false, null))
                    .satisfies(failure -> assertThat(codeOf(failure)).isEqualTo(ErrorCode.DUPLICATE_PARTITION));
            assertThatThrownBy(() -> tables.addPartitions("d", "t", List.of(lessThan("p4", "2024-01-15")), false, null))
                    .hasMessageContaining("intersected");
            tables.dropPartitions("d", "t", List.of("p1"), false, false, true);
            tables.dropPartitions("d", "t", List.of("p1"), true, false, true);
            assertThatThrownBy(() -> tables.dropPartitions("d", "t", List.of("p9"), false, false, true))
                    .hasMessageContaining("Unknown partition 'p9'");
            long before = test.table("t").getPartition("p2").id();
            tables.truncate("d", "t", List.of("p2"));
            assertThat(test.table("t").getPartition("p2").id()).isNotEqualTo(before);
            tables.renamePartition("d", "t", "p3", "march");
            // The dropped one's is gone; that of p2 before it was emptied stays a while for those who still read it.
            TestCluster.await(
                    "three tablets left", () -> test.backends.get(0).tablets.size() == 3);
            CatalogSnapshot snapshot = test.cluster().catalog().snapshot();
            test.restart();
            assertThat(test.cluster().catalog().snapshot().databases()).isEqualTo(snapshot.databases());
            assertThat(ShowCreate.text(test.table("t")))
                    .contains(
                            "PARTITION BY RANGE(`day`)\n(PARTITION p2 VALUES [('2024-01-01'), ('2024-02-01')),\nPARTITION march VALUES");
        }
    }

    @Test
    void namesAndDrops() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            TableCommands tables = test.cluster().tables();
            test.createTable("orders", 1, 1);
            assertThatThrownBy(() -> tables.drop("d", "order", false, false))
                    .hasMessageContaining("Unknown table 'd.order', did you mean 'orders'?");
            assertThat(tables.drop("d", "order", true, false)).isFalse();
            tables.rename("d", "orders", "purchases");
            assertThat(test.table("purchases").partitions().values().get(0).name())
                    .isEqualTo("purchases");
            tables.createLike("d", "copy", false, "d", "purchases");
            tables.replaceTable("d", "purchases", "copy", true);
            tables.renameColumn("d", "copy", "v", "w");
            assertThat(test.table("copy").findColumn("W")).isPresent();
            assertThatThrownBy(() -> tables.renameColumn("d", "copy", "k", "z")).hasMessageContaining("not supported");
            tables.createView(
                    "d",
                    "view",
                    false,
                    false,
                    List.of(SchemaColumn.of("k", DataType.INT, true)),
                    "SELECT k FROM d.copy",
                    "");
            assertThatThrownBy(() -> tables.drop("d", "view", false, false)).hasMessageContaining("use DROP VIEW");
            assertThat(tables.dropView("d", "view", false)).isTrue();
            tables.drop("d", "copy", false, true);
            assertThat(test.cluster().databases().drop("d", false, true)).isTrue();
            TestCluster.await(
                    "no tablets left", () -> test.backends.get(0).tablets.isEmpty());
            assertThatThrownBy(() -> test.cluster().databases().drop("d", false, false))
                    .satisfies(failure -> assertThat(codeOf(failure)).isEqualTo(ErrorCode.DROP_UNKNOWN_DATABASE));
        }
    }

    @Test
    void uniqueTablesGoByTheirKeyAndHaveHiddenColumns() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            CreateTableRequest plain = partitioned("t", List.of());
            CreateTableRequest unique = new CreateTableRequest(
                    "d",
                    "u",
                    false,
                    plain.columns(),
                    KeysModel.UNIQUE,
                    List.of("day"),
                    PartitionSpec.UNPARTITIONED,
                    List.of(),
                    null,
                    List.of(),
                    "",
                    Map.of());
            test.cluster().tables().create(unique);
            OlapTable table =
                    test.cluster().catalog().snapshot().getDatabase("d").getOlapTable("u");
            assertThat(table.distribution().columns()).containsExactly("day");
            assertThat(table.columns().stream().map(SchemaColumn::name))
                    .endsWith(HiddenColumns.DELETE_SIGN, HiddenColumns.VERSION);
            assertThat(table.baseIndex().visibleColumns()).hasSameSizeAs(plain.columns());
        }
    }

    @Test
    void usersAndGrantsSurviveRestart() {
        try (TestCluster test = new TestCluster(directory, 0, Map.of())) {
            PrivilegeCommands privileges = test.cluster().privileges();
            UserIdentity user = new UserIdentity("u", "%");
            privileges.createUser(user, false, "", null, "");
            assertThatThrownBy(() -> privileges.createUser(user, false, "", null, ""))
                    .hasMessageContaining("CREATE USER failed for 'u'@'%'");
            privileges.grantToUser(user, Scope.database("d"), Set.of(Privilege.SELECT, Privilege.LOAD));
            privileges.revokeFromUser(user, Scope.database("d"), Set.of(Privilege.LOAD));
            assertThatThrownBy(() -> privileges.revokeFromUser(user, Scope.GLOBAL, Set.of(Privilege.SELECT)))
                    .satisfies(failure -> assertThat(codeOf(failure)).isEqualTo(ErrorCode.NO_SUCH_GRANT));
            test.cluster().variables().setGlobal(Map.of("query_timeout", "77"));
            test.restart();
            CatalogSnapshot snapshot = test.cluster().catalog().snapshot();
            assertThat(snapshot.accessChecker().has(user, Scope.table("d", "t"), Privilege.SELECT))
                    .isTrue();
            assertThat(snapshot.accessChecker().has(user, Scope.table("d", "t"), Privilege.LOAD))
                    .isFalse();
            assertThat(snapshot.accessChecker().has(UserIdentity.ROOT, Scope.GLOBAL, Privilege.NODE))
                    .isTrue();
            assertThat(snapshot.globalVariables().find("query_timeout")).contains("77");
            assertThatThrownBy(() -> test.cluster().privileges().dropUser(UserIdentity.ROOT, false))
                    .hasMessageContaining("built-in");
        }
    }
}
