// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.testing;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.thetis.base.config.Config;
import org.thetis.base.config.DebugSettings;
import org.thetis.base.fault.DebugPoints;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionSource;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionSpec;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.type.DataType;
import org.thetis.cluster.Cluster;
import org.thetis.cluster.alter.CreateTableRequest;
import org.thetis.cluster.txn.TransactionService;
import org.thetis.wire.thrift.TabletCommit;

/** A front end's cluster layer over a real journal in a temporary directory, with fake back ends. */
public final class TestCluster implements AutoCloseable {
    private final Map<String, String> settings = new HashMap<>();
    private Cluster cluster;

    /** The machine's clock, which a test may put forward. */
    public final AheadClock clock = new AheadClock();

    public final List<FakeBackend> backends = new ArrayList<>();

    public TestCluster(Path directory, int numBackends, Map<String, String> overrides) {
        settings.put("meta_dir", directory.toString());
        settings.put("edit_log_port", String.valueOf(freePort()));
        settings.put("heartbeat_interval_second", "1");
        settings.putAll(overrides);
        cluster = open();
        for (int i = 0; i < numBackends; i++) {
            FakeBackend backend = new FakeBackend();
            backends.add(backend);
            cluster.nodes().addBackend("127.0.0.1", backend.heartbeatPort());
        }
        awaitBackends();
        cluster.databases().create("d", false, Map.of());
    }

    private Cluster open() {
        Config config = Config.defaults(settings);
        return Cluster.open(config, "127.0.0.1", new MetricRegistry(), debugPoints(config), clock, failure -> {});
    }

    /** Points of which none is on. */
    public static DebugPoints debugPoints(Config config) {
        return new DebugPoints(new DebugSettings(config), Clock.system());
    }

    /** Stops the front end and starts another over the same directory. */
    public void restart() {
        cluster.close();
        cluster = open();
        awaitBackends();
    }

    private void awaitBackends() {
        await("back ends alive", () -> cluster.nodes().backends().stream().allMatch(state -> state.isQueryable()));
    }

    public Cluster cluster() {
        return cluster;
    }

    public long databaseId() {
        return cluster.catalog().snapshot().getDatabase("d").id();
    }

    /** Creates `(k INT, v VARCHAR(10))` with so many copies and buckets. */
    public OlapTable createTable(String name, int replicas, int buckets) {
        CreateTableRequest request = new CreateTableRequest(
                "d",
                name,
                false,
                List.of(SchemaColumn.of("k", DataType.INT, true), SchemaColumn.of("v", DataType.varchar(10), true)),
                null,
                List.of(),
                PartitionSpec.UNPARTITIONED,
                List.of(),
                new CreateTableRequest.DistributionRequest(false, List.of("k"), buckets, false),
                List.of(),
                "",
                Map.of("replication_num", String.valueOf(replicas)));
        cluster.tables().create(request);
        return table(name);
    }

    public OlapTable table(String name) {
        return cluster.catalog().snapshot().getDatabase("d").getOlapTable(name);
    }

    public Partition partition(String table) {
        return table(table).partitions().values().get(0);
    }

    public Transaction begin(String label, OlapTable table) {
        return cluster.transactions()
                .begin(new TransactionService.BeginRequest(
                        databaseId(),
                        List.of(table.id()),
                        label,
                        "FE: 127.0.0.1",
                        -1,
                        TransactionSource.INSERT_STREAMING,
                        label,
                        60_000));
    }

    /** Commits as if the first `copies` replicas of every tablet had been written. */
    public static List<TabletCommit> writes(OlapTable table, int copies) {
        List<TabletCommit> commits = new ArrayList<>();
        for (Tablet tablet : table.tablets()) {
            tablet.replicas().stream()
                    .limit(copies)
                    .forEach(replica -> commits.add(new TabletCommit(tablet.id(), replica.backendId())));
        }
        return commits;
    }

    /** Waits, looking every few milliseconds, at most 20 seconds. */
    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("did not happen: " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        cluster.close();
        backends.forEach(FakeBackend::close);
    }
}
