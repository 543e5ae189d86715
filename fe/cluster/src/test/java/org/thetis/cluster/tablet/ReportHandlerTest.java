// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.type.DataType;
import org.thetis.cluster.alter.ColumnChange;
import org.thetis.cluster.testing.FakeBackend;
import org.thetis.cluster.testing.TestCluster;
import org.thetis.wire.thrift.AlterState;
import org.thetis.wire.thrift.ReplicaReport;
import org.thetis.wire.thrift.ReportRequest;

class ReportHandlerTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    Path directory;

    private long reportVersion;

    private void report(TestCluster test, FakeBackend backend, boolean full, ReplicaReport... replicas) {
        ReportRequest request =
                new ReportRequest(backend.backendId, test.cluster().nodes().token(), ++reportVersion);
        test.cluster().reports().report(request.setReplicas(List.of(replicas)).setFull(full));
    }

    private static ReplicaReport replica(long tablet, long version, long rows, boolean missing, boolean used) {
        return new ReplicaReport(tablet, version, rows, rows * 100, missing, used, version);
    }

    private static Replica known(TestCluster test, long tablet, FakeBackend backend) {
        return test.cluster()
                .catalog()
                .snapshot()
                .findTablet(tablet)
                .orElseThrow()
                .replicaOn(backend.backendId)
                .orElseThrow();
    }

    private static void load(TestCluster test, OlapTable table, String label) {
        Transaction transaction = test.begin(label, table);
        test.cluster()
                .transactions()
                .commit(
                        test.databaseId(),
                        transaction.id(),
                        TestCluster.writes(table, 2),
                        Map.of(),
                        Duration.ofSeconds(10));
    }

    @Test
    void unknownTabletsAreDroppedAndCountsTaken() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            FakeBackend backend = test.backends.get(0);
            Tablet tablet = test.createTable("t", 1, 1).tablets().get(0);
            backend.tablets.put(999_999L, 1L);
            report(test, backend, true, replica(tablet.id(), 1, 42, false, true), replica(999_999, 1, 1, false, true));
            TestCluster.await("leftover dropped", () -> !backend.tablets.containsKey(999_999L));
            assertThat(backend.tablets).containsKey(tablet.id());
            assertThat(test.cluster().replicas().tabletRows(tablet.id())).hasValue(42);
            assertThat(test.cluster().replicas().numRows(test.table("t"))).isEqualTo(42);
            assertThat(test.cluster().replicas().dataBytes(test.table("t"))).isEqualTo(4200);
        }
    }

    @Test
    void wrongTokenAndUnknownBackendAreRefused() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            ReportRequest wrong = new ReportRequest(test.backends.get(0).backendId, "guess", 1);
            assertThatThrownBy(() -> test.cluster().reports().report(wrong))
                    .satisfies(failure ->
                            assertThat(((ThetisException) failure).code()).isEqualTo(ErrorCode.ACCESS_DENIED));
            ReportRequest stranger =
                    new ReportRequest(12345, test.cluster().nodes().token(), 1);
            assertThatThrownBy(() -> test.cluster().reports().report(stranger)).hasMessageContaining("12345");
        }
    }

    @Test
    void replicaBehindIsMarkedAvoidedAndHealed() {
        try (TestCluster test = new TestCluster(directory, 2, Map.of())) {
            OlapTable table = test.createTable("t", 2, 1);
            Tablet tablet = table.tablets().get(0);
            FakeBackend lagging = test.backends.get(0);
            FakeBackend good = test.backends.get(1);
            load(test, table, "one");

            // One report may be older than the publish: nothing follows from it alone.
            report(test, lagging, true, replica(tablet.id(), 1, 0, false, true));
            assertThat(known(test, tablet.id(), lagging).lastFailedVersion()).isEqualTo(-1);
            int publishes = lagging.published.size();
            report(test, lagging, true, replica(tablet.id(), 1, 0, false, true));
            TestCluster.await("marked", () -> known(test, tablet.id(), lagging).lastFailedVersion() == 2);
            assertThat(test.cluster().replicas().usableBackends(reread(test), 2))
                    .containsExactly(good.backendId);
            TestCluster.await("published again", () -> lagging.published.size() > publishes);

            report(test, lagging, true, replica(tablet.id(), 2, 5, false, true));
            TestCluster.await("healed", () -> known(test, tablet.id(), lagging).lastFailedVersion() == -1);
            assertThat(test.cluster().replicas().usableBackends(reread(test), 2))
                    .hasSize(2);
        }
    }

    @Test
    void aGapCountsWhenItStays() {
        try (TestCluster test = new TestCluster(directory, 2, Map.of())) {
            OlapTable table = test.createTable("t", 2, 1);
            Tablet tablet = table.tablets().get(0);
            FakeBackend fresh = test.backends.get(0);
            FakeBackend lagging = test.backends.get(1);
            report(test, lagging, true, replica(tablet.id(), 1, 0, true, true));
            test.clock.advance(Duration.ofSeconds(11));
            load(test, table, "one");
            report(test, fresh, true, replica(tablet.id(), 1, 0, true, true));
            assertThat(known(test, tablet.id(), fresh).lastFailedVersion()).isEqualTo(-1);
            assertThat(test.cluster().replicas().usableBackends(reread(test), 2))
                    .contains(fresh.backendId);
            report(test, lagging, true, replica(tablet.id(), 1, 0, true, true));
            TestCluster.await("marked", () -> known(test, tablet.id(), lagging).lastFailedVersion() == 2);
        }
    }

    @Test
    void aGapOfAShadowSaysNothingAfterTheSwap() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            OlapTable table = test.createTable("t", 1, 1);
            FakeBackend backend = test.backends.get(0);
            load(test, table, "one");
            SchemaColumn added = SchemaColumn.of("x", DataType.INT, true).withKey(true);
            test.cluster().schemaChanges().change("d", "t", List.of(new ColumnChange.Add(added, null)));
            TestCluster.await("shadow", () -> test.table("t").shadowIndex().isPresent());
            long index = test.table("t").shadowIndex().orElseThrow().id();
            long shadow = test.partition("t").indexes().stream()
                    .filter(tablets -> tablets.indexId() == index)
                    .findFirst()
                    .orElseThrow()
                    .tablets()
                    .get(0)
                    .id();
            report(test, backend, false, replica(shadow, 1, 0, true, true));
            test.clock.advance(Duration.ofSeconds(11));
            backend.conversionState = AlterState.FINISHED;
            TestCluster.await("swapped", () -> reread(test).id() == shadow);
            // This one was on its way when the tablets changed places.
            report(test, backend, false, replica(shadow, 1, 0, true, true));
            assertThat(known(test, shadow, backend).lastFailedVersion()).isEqualTo(-1);
            assertThat(test.cluster().replicas().usableBackends(reread(test), 2))
                    .containsExactly(backend.backendId);
        }
    }

    @Test
    void tabletsThatWereReplacedStayForQueriesPlannedBefore() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            Tablet old = test.createTable("t", 1, 1).tablets().get(0);
            FakeBackend backend = test.backends.get(0);
            backend.conversionState = AlterState.FINISHED;
            SchemaColumn added = SchemaColumn.of("x", DataType.INT, true).withKey(true);
            test.cluster().schemaChanges().change("d", "t", List.of(new ColumnChange.Add(added, null)));
            // Also while the catalog changes.
            TestCluster.await("swapped", () -> {
                report(test, backend, false, replica(old.id(), 1, 0, false, true));
                return reread(test).id() != old.id();
            });
            TestCluster.await("finished", () -> test.cluster().catalog().snapshot().alterJobs().values().stream()
                    .allMatch(job -> job.state().isFinal()));
            backend.tablets.put(999_999L, 1L);
            report(
                    test,
                    backend,
                    true,
                    replica(old.id(), 1, 0, false, true),
                    replica(reread(test).id(), 1, 0, false, true),
                    replica(999_999, 1, 1, false, true));
            TestCluster.await("leftover dropped", () -> !backend.tablets.containsKey(999_999L));
            assertThat(backend.tablets).containsKey(old.id());
        }
    }

    @Test
    void aBadReplicaIsReadAgainWhenItIsReportedWell() {
        try (TestCluster test = new TestCluster(directory, 2, Map.of())) {
            Tablet tablet = test.createTable("t", 2, 1).tablets().get(0);
            FakeBackend backend = test.backends.get(0);
            report(test, backend, false, replica(tablet.id(), 1, 0, false, false));
            TestCluster.await("bad", () -> known(test, tablet.id(), backend).bad());
            assertThat(test.cluster().replicas().usableBackends(reread(test), 1))
                    .containsExactly(test.backends.get(1).backendId);
            test.restart();
            assertThat(known(test, tablet.id(), backend).bad()).isTrue();
            report(test, backend, false, replica(tablet.id(), 1, 0, false, true));
            TestCluster.await("well", () -> !known(test, tablet.id(), backend).bad());
            assertThat(test.cluster().replicas().usableBackends(reread(test), 1))
                    .hasSize(2);
        }
    }

    private static Tablet reread(TestCluster test) {
        return test.table("t").tablets().get(0);
    }

    @Test
    void badAndLostReplicasAreNotRead() {
        try (TestCluster test = new TestCluster(directory, 2, Map.of())) {
            Tablet tablet = test.createTable("t", 2, 1).tablets().get(0);
            FakeBackend bad = test.backends.get(0);
            FakeBackend lost = test.backends.get(1);
            report(test, bad, true, replica(tablet.id(), 1, 0, false, false));
            TestCluster.await("bad", () -> known(test, tablet.id(), bad).bad());
            report(test, lost, true);
            assertThat(known(test, tablet.id(), lost).bad()).isFalse();
            report(test, lost, true);
            TestCluster.await("lost", () -> known(test, tablet.id(), lost).bad());
            assertThatThrownBy(() -> test.cluster().replicas().chooseReplica(reread(test), 1))
                    .hasMessageContaining("tablet " + tablet.id() + " has no queryable replicas at version 1")
                    .satisfies(failure ->
                            assertThat(((ThetisException) failure).code()).isEqualTo(ErrorCode.MISSING_VERSION));
        }
    }

    @Test
    void readsSpreadOverEqualReplicasAndAvoidDeadBackends() {
        try (TestCluster test = new TestCluster(directory, 2, Map.of())) {
            test.createTable("t", 2, 1);
            List<Long> chosen = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                chosen.add(test.cluster().replicas().chooseReplica(reread(test), 1));
            }
            assertThat(chosen.stream().distinct()).hasSize(2);
            test.backends.get(0).close();
            TestCluster.await("noticed", () -> !test.cluster().nodes().isAlive(test.backends.get(0).backendId));
            assertThat(test.cluster().replicas().usableBackends(reread(test), 1))
                    .containsExactly(test.backends.get(1).backendId);
        }
    }
}
