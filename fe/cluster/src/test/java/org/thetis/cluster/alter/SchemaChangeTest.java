// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.schema.DefaultValue;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.type.DataType;
import org.thetis.cluster.testing.FakeBackend;
import org.thetis.cluster.testing.TestCluster;
import org.thetis.wire.thrift.AlterState;

/** Changes of columns over a real journal and fake back ends. */
final class SchemaChangeTest {
    private static final Duration WAIT = Duration.ofSeconds(10);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    Path directory;

    /** A key column makes every file new. */
    private static ColumnChange heavy() {
        return new ColumnChange.Add(SchemaColumn.of("x", DataType.INT, true).withKey(true), null);
    }

    private static AlterJob job(TestCluster test) {
        return test.cluster().catalog().snapshot().alterJobs().values().get(0);
    }

    private static void awaitState(TestCluster test, AlterJob.State state) {
        TestCluster.await("job is " + state, () -> job(test).state() == state);
    }

    /** Tablets that were replaced stay for a minute. */
    private static void awaitDropped(TestCluster test, int numTablets) {
        TestCluster.await("old tablets dropped", () -> {
            test.clock.advance(Duration.ofSeconds(1));
            return test.backends.get(0).tablets.size() == numTablets;
        });
    }

    @Test
    void aLightChangeIsOneRecordAndSurvivesRestart() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            OlapTable before = test.createTable("t", 1, 2);
            SchemaColumn added = SchemaColumn.of("n", DataType.INT, true).withDefaultValue(DefaultValue.literal("5"));
            test.cluster().schemaChanges().change("d", "t", List.of(new ColumnChange.Add(added, null)));
            OlapTable after = test.table("t");
            assertThat(after.tablets()).isEqualTo(before.tablets());
            assertThat(after.getColumn("n").uniqueId())
                    .isEqualTo(before.baseIndex().nextUniqueId());
            assertThat(after.baseIndex().schemaVersion()).isEqualTo(1);
            assertThat(job(test).state()).isEqualTo(AlterJob.State.FINISHED);
            test.cluster().schemaChanges().change("d", "t", List.of(new ColumnChange.Drop("n")));
            test.cluster().schemaChanges().change("d", "t", List.of(new ColumnChange.Add(added, null)));
            assertThat(test.table("t").getColumn("n").uniqueId())
                    .isGreaterThan(after.getColumn("n").uniqueId());
            CatalogSnapshot snapshot = test.cluster().catalog().snapshot();
            test.restart();
            assertThat(test.cluster().catalog().snapshot().databases()).isEqualTo(snapshot.databases());
            assertThat(test.cluster().catalog().snapshot().alterJobs()).isEqualTo(snapshot.alterJobs());
        }
    }

    @Test
    void aHeavyChangeWaitsForOlderLoadsAndGoesOnAfterARestart() {
        try (TestCluster test = new TestCluster(directory, 2, Map.of())) {
            OlapTable before = test.createTable("t", 2, 1);
            Transaction old = test.begin("old", before);
            test.cluster().schemaChanges().change("d", "t", List.of(heavy()));
            awaitState(test, AlterJob.State.WAITING_TXN);
            TestCluster.await("watershed", () -> job(test).watershed() >= 0);
            assertThatThrownBy(
                            () -> test.cluster().schemaChanges().change("d", "t", List.of(new ColumnChange.Drop("v"))))
                    .hasMessageContaining("is not NORMAL");
            OlapTable during = test.table("t");
            IndexMeta shadow = during.shadowIndex().orElseThrow();
            assertThat(shadow.findColumn("x").orElseThrow().key()).isTrue();
            // A load planned before commits without the shadow, and its version counts as history.
            assertThat(test.cluster()
                            .transactions()
                            .commit(test.databaseId(), old.id(), TestCluster.writes(before, 2), Map.of(), WAIT))
                    .isEqualTo(TransactionStatus.VISIBLE);
            awaitState(test, AlterJob.State.RUNNING);
            TestCluster.await(
                    "asked", () -> test.backends.stream().allMatch(backend -> backend.conversions.size() == 1));
            assertThat(test.backends.get(0).conversions.values()).containsExactly(2L);
            // From now on it would be lost.
            Transaction late = test.begin("late", before);
            assertThatThrownBy(() -> test.cluster()
                            .transactions()
                            .commit(test.databaseId(), late.id(), TestCluster.writes(before, 2), Map.of(), WAIT))
                    .hasMessageContaining("being changed");
            Transaction both = test.begin("both", during);
            assertThat(test.cluster()
                            .transactions()
                            .commit(test.databaseId(), both.id(), TestCluster.writes(during, 2), Map.of(), WAIT))
                    .isEqualTo(TransactionStatus.VISIBLE);
            test.backends.forEach(backend -> backend.conversions.clear());
            test.restart();
            assertThat(job(test).state()).isEqualTo(AlterJob.State.RUNNING);
            TestCluster.await(
                    "asked again", () -> !test.backends.get(0).conversions.isEmpty());
            assertThat(test.backends.get(0).conversions.values()).containsExactly(2L);
            test.backends.forEach(backend -> backend.conversionState = AlterState.FINISHED);
            awaitState(test, AlterJob.State.FINISHED);
            OlapTable after = test.table("t");
            assertThat(after.indexes()).hasSize(1);
            assertThat(after.baseIndex().id()).isEqualTo(shadow.id());
            assertThat(after.baseIndex().name()).isEqualTo("t");
            assertThat(after.tablets()).doesNotContainAnyElementsOf(before.tablets());
            assertThat(after.partitions().values().get(0).visibleVersion()).isEqualTo(3);
            awaitDropped(test, 1);
            test.restart();
            assertThat(test.table("t")).isEqualTo(after);
        }
    }

    @Test
    void aCancelledOrFailedChangeLeavesTheTableAsItWas() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            OlapTable before = test.createTable("t", 1, 2);
            FakeBackend backend = test.backends.get(0);
            test.cluster().schemaChanges().change("d", "t", List.of(heavy()));
            awaitState(test, AlterJob.State.RUNNING);
            test.cluster().schemaChanges().cancel("d", "t", List.of());
            assertThat(job(test).state()).isEqualTo(AlterJob.State.CANCELLED);
            assertThat(test.table("t")).isEqualTo(before);
            TestCluster.await("shadows dropped", () -> backend.tablets.size() == 2);
            assertThatThrownBy(() -> test.cluster().schemaChanges().cancel("d", "t", List.of()))
                    .hasMessageContaining("nothing to cancel");
            backend.conversionState = AlterState.FAILED;
            test.cluster().schemaChanges().change("d", "t", List.of(heavy()));
            TestCluster.await("second job over", () -> test.cluster()
                    .catalog()
                    .snapshot()
                    .findAlterJob(before.id())
                    .isEmpty());
            AlterJob second =
                    test.cluster().catalog().snapshot().alterJobs().values().get(1);
            assertThat(second.state()).isEqualTo(AlterJob.State.CANCELLED);
            assertThat(second.message()).contains("told to fail");
            assertThat(test.table("t")).isEqualTo(before);
        }
    }

    @Test
    void droppedThingsComeBackOrAreErased() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of("catalog_trash_expire_second", "3600"))) {
            OlapTable table = test.createTable("t", 1, 2);
            FakeBackend backend = test.backends.get(0);
            test.cluster().tables().drop("d", "t", false, false);
            assertThatThrownBy(() -> test.cluster().recycleBin().recoverTable("d", "u", null, null))
                    .hasMessageContaining("in the recycle bin");
            test.restart();
            assertThat(backend.tablets).hasSize(2);
            test.cluster().recycleBin().recoverTable("d", "t", null, "u");
            assertThat(test.table("u").tablets()).isEqualTo(table.tablets());
            test.cluster().databases().drop("d", false, false);
            test.cluster().recycleBin().recoverDatabase("d", null, null);
            assertThat(test.table("u").tablets()).isEqualTo(table.tablets());
            test.cluster().tables().drop("d", "u", false, true);
            TestCluster.await("gone", () -> backend.tablets.isEmpty());
            assertThatThrownBy(() -> test.cluster().recycleBin().recoverTable("d", "u", null, null))
                    .hasMessageContaining("in the recycle bin");
        }
    }

    @Test
    void anUnfinishedOverwriteIsUndoneAtStart() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            OlapTable table = test.createTable("t", 1, 2);
            Overwrite first = test.cluster().tables().beginOverwrite("d", "t", List.of());
            assertThat(test.table("t").temporaryPartitions().size()).isEqualTo(1);
            test.cluster().tables().finishOverwrite(first);
            OlapTable overwritten = test.table("t");
            assertThat(overwritten.partitions().values().get(0).name()).isEqualTo("t");
            assertThat(overwritten.tablets()).doesNotContainAnyElementsOf(table.tablets());
            assertThat(overwritten.temporaryPartitions().isEmpty()).isTrue();
            awaitDropped(test, 2);
            test.cluster().tables().beginOverwrite("d", "t", List.of());
            test.restart();
            assertThat(test.table("t")).isEqualTo(overwritten);
            TestCluster.await(
                    "tablets dropped", () -> test.backends.get(0).tablets.size() == 2);
        }
    }

    @Test
    void aDecommissionedBackendIsDroppedWhenItIsEmpty() {
        try (TestCluster test = new TestCluster(directory, 2, Map.of())) {
            test.createTable("t", 1, 1);
            long holder = test.table("t").tablets().get(0).replicas().get(0).backendId();
            test.cluster().nodes().backends().forEach(state -> test.cluster()
                    .nodes()
                    .decommissionBackend(state.backend().host(), state.backend().heartbeatPort(), true));
            TestCluster.await(
                    "the empty one is gone",
                    () -> test.cluster().nodes().backends().size() == 1);
            assertThat(test.cluster().nodes().backends().get(0).id()).isEqualTo(holder);
            test.cluster().tables().drop("d", "t", false, true);
            TestCluster.await(
                    "the other one too", () -> test.cluster().nodes().backends().isEmpty());
        }
    }
}
