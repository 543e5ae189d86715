// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionSource;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.schema.Replica;
import org.thetis.cluster.testing.TestCluster;
import org.thetis.wire.thrift.TabletCommit;

class TransactionCoordinatorTest {
    private static final Duration WAIT = Duration.ofSeconds(10);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    Path directory;

    private static TransactionStatus commit(TestCluster test, Transaction transaction, OlapTable table, int copies) {
        return test.cluster()
                .transactions()
                .commit(test.databaseId(), transaction.id(), TestCluster.writes(table, copies), Map.of(), WAIT);
    }

    @Test
    void commitIsVisibleAndSurvivesRestart() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            OlapTable table = test.createTable("t", 1, 2);
            assertThat(commit(test, test.begin("one", table), table, 1)).isEqualTo(TransactionStatus.VISIBLE);
            assertThat(test.partition("t").visibleVersion()).isEqualTo(2);
            assertThat(test.backends.get(0).tablets.values()).containsOnly(2L);
            test.restart();
            assertThat(test.partition("t").visibleVersion()).isEqualTo(2);
            assertThat(test.cluster()
                            .transactions()
                            .findByLabel(test.databaseId(), "one")
                            .orElseThrow()
                            .status())
                    .isEqualTo(TransactionStatus.VISIBLE);
            OlapTable again = test.table("t");
            assertThat(commit(test, test.begin("two", again), again, 1)).isEqualTo(TransactionStatus.VISIBLE);
            assertThat(test.partition("t").visibleVersion()).isEqualTo(3);
        }
    }

    @Test
    void committedBeforeACrashBecomesVisibleAfterIt() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            OlapTable table = test.createTable("t", 1, 1);
            test.backends.get(0).failPublishes = true;
            Transaction transaction = test.begin("one", table);
            TransactionStatus status = test.cluster()
                    .transactions()
                    .commit(
                            test.databaseId(),
                            transaction.id(),
                            TestCluster.writes(table, 1),
                            Map.of(),
                            Duration.ofMillis(50));
            assertThat(status).isEqualTo(TransactionStatus.COMMITTED);
            test.backends.get(0).failPublishes = false;
            test.restart();
            TestCluster.await("version 2 visible", () -> test.partition("t").visibleVersion() == 2);
        }
    }

    @Test
    void labelRules() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            OlapTable table = test.createTable("t", 1, 1);
            TransactionService service = test.cluster().transactions();
            Transaction first = test.begin("label", table);
            assertThat(test.begin("label", table).id()).as("same request id").isEqualTo(first.id());
            TransactionService.BeginRequest other = new TransactionService.BeginRequest(
                    test.databaseId(),
                    List.of(table.id()),
                    "label",
                    "FE: x",
                    -1,
                    first.source(),
                    "another request",
                    1000);
            assertThatThrownBy(() -> service.begin(other))
                    .isInstanceOf(LabelExistsException.class)
                    .hasMessage("Label [label] has already been used, relate to txn [" + first.id()
                            + "], status [PREPARE].")
                    .satisfies(failure -> assertThat(((LabelExistsException) failure).jobStatus())
                            .isEqualTo("RUNNING"));

            service.abort(test.databaseId(), first.id(), "no more");
            Transaction second = service.begin(other);
            assertThat(second.id()).isNotEqualTo(first.id());
            assertThat(service.find(test.databaseId(), first.id()).orElseThrow().status())
                    .isEqualTo(TransactionStatus.ABORTED);
            TestCluster.await(
                    "back ends hear of the abort",
                    () -> test.backends.get(0).cleared.contains(first.id()));

            commit(test, second, table, 1);
            assertThatThrownBy(() -> service.begin(other))
                    .satisfies(failure -> assertThat(((LabelExistsException) failure).jobStatus())
                            .isEqualTo("FINISHED"))
                    .hasMessageContaining("status [VISIBLE].");
            assertThatThrownBy(() -> service.abort(test.databaseId(), second.id(), null))
                    .hasMessageContaining("is already VISIBLE");
            assertThatThrownBy(() -> test.begin("bad label!", table)).hasMessageContaining("Label format error");
        }
    }

    @Test
    void quorumDecides() {
        try (TestCluster test = new TestCluster(directory, 3, Map.of())) {
            OlapTable table = test.createTable("t", 3, 2);
            Transaction lost = test.begin("one-of-three", table);
            assertThatThrownBy(() -> commit(test, lost, table, 1))
                    .isInstanceOf(ThetisException.class)
                    .hasMessageContaining("succ replica num 1 < load required replica num 2");
            assertThat(test.cluster()
                            .transactions()
                            .find(test.databaseId(), lost.id())
                            .orElseThrow()
                            .status())
                    .isEqualTo(TransactionStatus.ABORTED);

            assertThat(commit(test, test.begin("two-of-three", table), table, 2))
                    .isEqualTo(TransactionStatus.VISIBLE);
            OlapTable after = test.table("t");
            assertThat(after.tablets())
                    .allSatisfy(tablet -> assertThat(tablet.replicas().stream().map(Replica::lastFailedVersion))
                            .containsExactlyInAnyOrder(-1L, -1L, 2L));
            // The replica that missed version 2 no longer counts.
            Transaction thin = test.begin("missing-one-counts", after);
            List<TabletCommit> commits = after.tablets().stream()
                    .flatMap(tablet -> tablet.replicas().stream()
                            .skip(1)
                            .map(replica -> new TabletCommit(tablet.id(), replica.backendId())))
                    .toList();
            assertThatThrownBy(() ->
                            test.cluster().transactions().commit(test.databaseId(), thin.id(), commits, Map.of(), WAIT))
                    .hasMessageContaining("load required replica num 2");
        }
    }

    @Test
    void versionsArePublishedInOrder() throws InterruptedException {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            OlapTable table = test.createTable("t", 1, 1);
            CountDownLatch gate = new CountDownLatch(1);
            test.backends.get(0).publishGate = gate;
            for (int i = 0; i < 5; i++) {
                Transaction transaction = test.begin("label" + i, table);
                TransactionStatus status = test.cluster()
                        .transactions()
                        .commit(
                                test.databaseId(),
                                transaction.id(),
                                TestCluster.writes(table, 1),
                                Map.of(),
                                Duration.ZERO);
                assertThat(status).isEqualTo(TransactionStatus.COMMITTED);
            }
            assertThat(test.partition("t").visibleVersion()).isEqualTo(1);
            assertThat(test.partition("t").committedVersion()).isEqualTo(6);
            gate.countDown();
            TestCluster.await("all visible", () -> test.partition("t").visibleVersion() == 6);
            assertThat(test.backends.get(0).published.stream()
                            .map(entry -> entry.substring(entry.lastIndexOf('/') + 1)))
                    .containsExactly("2", "3", "4", "5", "6");
        }
    }

    /** Two loads that each missed another replica would leave one whole replica, too few to ever make the second visible. */
    @Test
    void replicasThatMissWhatIsNotYetVisibleDoNotCount() {
        try (TestCluster test = new TestCluster(directory, 3, Map.of())) {
            OlapTable table = test.createTable("t", 3, 2);
            CountDownLatch gate = new CountDownLatch(1);
            test.backends.forEach(backend -> backend.publishGate = gate);
            Transaction first = test.begin("misses-the-third", table);
            assertThat(test.cluster()
                            .transactions()
                            .commit(
                                    test.databaseId(),
                                    first.id(),
                                    TestCluster.writes(table, 2),
                                    Map.of(),
                                    Duration.ZERO))
                    .isEqualTo(TransactionStatus.COMMITTED);
            Transaction second = test.begin("misses-the-first", table);
            List<TabletCommit> others = table.tablets().stream()
                    .flatMap(tablet -> tablet.replicas().stream()
                            .skip(1)
                            .map(replica -> new TabletCommit(tablet.id(), replica.backendId())))
                    .toList();
            assertThatThrownBy(() -> test.cluster()
                            .transactions()
                            .commit(test.databaseId(), second.id(), others, Map.of(), Duration.ZERO))
                    .hasMessageContaining("succ replica num 1 < load required replica num 2");
            Transaction third = test.begin("misses-the-third-too", table);
            assertThat(test.cluster()
                            .transactions()
                            .commit(
                                    test.databaseId(),
                                    third.id(),
                                    TestCluster.writes(table, 2),
                                    Map.of(),
                                    Duration.ZERO))
                    .isEqualTo(TransactionStatus.COMMITTED);
            gate.countDown();
            TestCluster.await("all visible", () -> test.partition("t").visibleVersion() == 3);
        }
    }

    @Test
    void twoPhases() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            OlapTable table = test.createTable("t", 1, 1);
            TransactionService service = test.cluster().transactions();
            Transaction kept = test.begin("kept", table);
            Transaction dropped = test.begin("dropped", table);
            service.precommit(test.databaseId(), kept.id(), TestCluster.writes(table, 1), Map.of("rows", "5"));
            service.precommit(test.databaseId(), dropped.id(), TestCluster.writes(table, 1), Map.of());
            assertThat(test.partition("t").visibleVersion()).isEqualTo(1);
            test.restart();
            TransactionService later = test.cluster().transactions();
            assertThat(later.find(test.databaseId(), kept.id()).orElseThrow().status())
                    .isEqualTo(TransactionStatus.PRECOMMITTED);
            later.abort(test.databaseId(), dropped.id(), "second thoughts");
            assertThat(later.commitPrecommitted(test.databaseId(), kept.id(), WAIT))
                    .isEqualTo(TransactionStatus.VISIBLE);
            assertThat(later.find(test.databaseId(), kept.id()).orElseThrow().attachment())
                    .containsEntry("rows", "5");
            assertThat(test.partition("t").visibleVersion()).isEqualTo(2);
            assertThatThrownBy(() -> later.commitPrecommitted(test.databaseId(), dropped.id(), WAIT))
                    .satisfies(failure ->
                            assertThat(((ThetisException) failure).code()).isEqualTo(ErrorCode.TRANSACTION_STATE));
        }
    }

    @Test
    void coordinatorRestartAbortsItsTransactions() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            OlapTable table = test.createTable("t", 1, 1);
            long backend = test.backends.get(0).backendId;
            TransactionService service = test.cluster().transactions();
            Transaction transaction = service.begin(new TransactionService.BeginRequest(
                    test.databaseId(),
                    List.of(table.id()),
                    "of-be",
                    "BE: 127.0.0.1",
                    backend,
                    TransactionSource.BACKEND_STREAMING,
                    "r",
                    60_000));
            test.backends.get(0).epoch = 2;
            TestCluster.await(
                    "aborted",
                    () -> service.find(test.databaseId(), transaction.id())
                                    .orElseThrow()
                                    .status()
                            == TransactionStatus.ABORTED);
        }
    }

    @Test
    void limitOfRunningTransactions() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of("max_running_txn_num_per_db", "2"))) {
            OlapTable table = test.createTable("t", 1, 1);
            test.begin("a", table);
            test.begin("b", table);
            assertThatThrownBy(() -> test.begin("c", table)).hasMessageContaining("larger than limit 2");
        }
    }

    /** Prints a figure; asserts only success. */
    @Test
    void singleInsertLatency() {
        try (TestCluster test = new TestCluster(directory, 1, Map.of())) {
            OlapTable table = test.createTable("t", 1, 1);
            long start = 0;
            for (int i = 0; i < 300; i++) {
                if (i == 100) {
                    start = System.nanoTime();
                }
                assertThat(commit(test, test.begin("insert" + i, table), table, 1))
                        .isEqualTo(TransactionStatus.VISIBLE);
            }
            System.out.println(
                    "begin, commit, publish, visible: " + (System.nanoTime() - start) / 200_000 + " us each");
        }
    }
}
