// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.Tablet;
import org.thetis.cluster.tablet.ReplicaState;
import org.thetis.query.result.SizeText;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.statement.StatementServices;

/** SHOW PROC below a table: its partitions, their indexes, tablets and replicas; and the health of all tablets. */
final class ProcStorage {
    private final StatementServices services;

    ProcStorage(StatementServices services) {
        this.services = services;
    }

    /** The path behind `/dbs/{database}/{table}`. */
    Optional<StatementResult> table(OlapTable table, List<String> path) {
        if (path.isEmpty()) {
            ShowRows rows = new ShowRows("Nodes");
            List.of("partitions", "temp_partitions", "index_schema").forEach(rows::add);
            return Optional.of(rows.result());
        }
        boolean temporary = path.get(0).equals("temp_partitions");
        if (path.get(0).equals("index_schema") && path.size() == 1) {
            return Optional.of(indexes(table));
        }
        if (!temporary && !path.get(0).equals("partitions")) {
            return Optional.empty();
        }
        List<Partition> partitions = (temporary ? table.temporaryPartitions() : table.partitions()).values();
        if (path.size() == 1) {
            return Optional.of(partitions(table, partitions));
        }
        Partition partition = find(partitions, path.get(1), Partition::id, "partition");
        if (path.size() == 2) {
            return Optional.of(indexesOf(table, partition));
        }
        Partition.IndexTablets index = find(partition.indexes(), path.get(2), Partition.IndexTablets::indexId, "index");
        if (path.size() == 3) {
            return Optional.of(replicas(table, partition, index.tablets()));
        }
        Tablet tablet = find(index.tablets(), path.get(3), Tablet::id, "tablet");
        return path.size() == 4 ? Optional.of(replicas(table, partition, List.of(tablet))) : Optional.empty();
    }

    /** The thing with the id that a path names. */
    static <T> T find(List<T> things, String id, ToLongFunction<T> idOf, String kind) {
        return things.stream()
                .filter(thing -> Long.toString(idOf.applyAsLong(thing)).equals(id))
                .findFirst()
                .orElseThrow(() -> new ThetisException(ErrorCode.INVALID_ARGUMENT, "Unknown " + kind + " id " + id));
    }

    private static StatementResult indexes(OlapTable table) {
        ShowRows rows = new ShowRows(
                "IndexId", "IndexName", "SchemaVersion", "SchemaHash", "ShortKeyColumnCount", "StorageType", "Keys");
        for (IndexMeta index : table.indexes()) {
            rows.add(
                    index.id(),
                    index.name(),
                    index.schemaVersion(),
                    index.schemaHash(),
                    index.shortKeyColumns(),
                    "COLUMN",
                    String.join(
                            ", ",
                            index.keyColumns().stream()
                                    .map(column -> column.name())
                                    .toList()));
        }
        return rows.result();
    }

    private StatementResult partitions(OlapTable table, List<Partition> partitions) {
        ShowRows rows = new ShowRows(
                        "PartitionId",
                        "PartitionName",
                        "VisibleVersion",
                        "VisibleVersionTime",
                        "State",
                        "PartitionKey",
                        "Range",
                        "Buckets",
                        "ReplicationNum",
                        "DataSize",
                        "RowCount")
                .numeric("PartitionId", "VisibleVersion", "Buckets", "RowCount");
        for (Partition partition : partitions) {
            rows.add(
                    partition.id(),
                    partition.name(),
                    partition.visibleVersion(),
                    TimeText.of(partition.visibleMillis()),
                    "NORMAL",
                    String.join(", ", table.partitionSpec().columns()),
                    PartitionText.range(table, partition),
                    partition.tablets().size(),
                    partition.replicationNum(),
                    SizeText.of(services.replicas().dataBytes(partition)),
                    services.replicas().numRows(partition));
        }
        return rows.result();
    }

    private static StatementResult indexesOf(OlapTable table, Partition partition) {
        ShowRows rows = new ShowRows("IndexId", "IndexName", "State", "LastConsistencyCheckTime");
        for (Partition.IndexTablets index : partition.indexes()) {
            boolean isBase = index.indexId() == table.baseIndex().id();
            String name = table.indexes().stream()
                    .filter(meta -> meta.id() == index.indexId())
                    .map(IndexMeta::name)
                    .findFirst()
                    .orElse("");
            rows.add(index.indexId(), name, isBase ? "NORMAL" : "SHADOW", null);
        }
        return rows.result();
    }

    private StatementResult replicas(OlapTable table, Partition partition, List<Tablet> tablets) {
        ShowRows rows = new ShowRows(
                        "TabletId",
                        "ReplicaId",
                        "BackendId",
                        "Version",
                        "LstSuccessVersion",
                        "LstFailedVersion",
                        "LstFailedTime",
                        "SchemaHash",
                        "LocalDataSize",
                        "RemoteDataSize",
                        "RowCount",
                        "State",
                        "IsBad",
                        "VersionCount",
                        "MetaUrl",
                        "CompactionStatus")
                .numeric("TabletId", "ReplicaId", "BackendId", "Version", "RowCount", "VersionCount");
        for (Tablet tablet : tablets) {
            for (Replica replica : tablet.replicas()) {
                Optional<ReplicaState> state = services.replicas().find(tablet.id(), replica.backendId());
                boolean bad = replica.bad() || state.map(ReplicaState::bad).orElse(false);
                long version = state.map(ReplicaState::version).orElse(partition.visibleVersion());
                String address = services.nodes()
                        .findBackend(replica.backendId())
                        .map(backend -> "http://" + backend.backend().host() + ":"
                                + backend.backend().httpPort())
                        .orElse("");
                rows.add(
                        tablet.id(),
                        replica.id(),
                        replica.backendId(),
                        version,
                        version,
                        replica.lastFailedVersion(),
                        TimeText.of(replica.lastFailedMillis()),
                        table.baseIndex().schemaHash(),
                        state.map(ReplicaState::dataBytes).orElse(0L),
                        0,
                        state.map(ReplicaState::numRows).orElse(0L),
                        bad ? "BAD" : "NORMAL",
                        bad,
                        state.map(ReplicaState::numVersions).orElse(1L),
                        address + "/api/meta/header/" + tablet.id(),
                        address + "/api/compaction/show?tablet_id=" + tablet.id());
            }
        }
        return rows.result();
    }

    /** Counts of tablets by what is wrong with them, per database and over all. */
    StatementResult tabletHealth() {
        ShowRows rows = new ShowRows(
                "DbId",
                "DbName",
                "TabletNum",
                "HealthyNum",
                "ReplicaMissingNum",
                "VersionIncompleteNum",
                "ReplicaRelocatingNum",
                "RedundantNum",
                "ReplicaMissingForTagNum",
                "ForceRedundantNum",
                "ColocateMismatchNum",
                "ColocateRedundantNum",
                "NeedFurtherRepairNum",
                "UnrecoverableNum",
                "ReplicaCompactionTooSlowNum",
                "InconsistentNum",
                "OversizeNum",
                "CloningNum");
        Health all = new Health();
        for (Database database : services.snapshot().databases().values()) {
            Health own = new Health();
            for (OlapTable table : database.olapTables()) {
                table.tablets().forEach(tablet -> own.add(tablet));
            }
            all.add(own);
            own.addTo(rows, Long.toString(database.id()), database.name());
        }
        all.addTo(
                rows, "Total", Integer.toString(services.snapshot().databases().size()));
        return rows.result();
    }

    /** Tablets by the first of: no good replica, one that lacks versions, one that is lost or on a dead back end. */
    private final class Health {
        private long tablets;
        private long unrecoverable;
        private long incomplete;
        private long missing;

        void add(Tablet tablet) {
            tablets++;
            long bad = tablet.replicas().stream().filter(this::isLost).count();
            boolean lacks = tablet.replicas().stream().anyMatch(replica -> replica.lastFailedVersion() >= 0);
            if (bad == tablet.replicas().size()) {
                unrecoverable++;
            } else if (lacks) {
                incomplete++;
            } else if (bad > 0) {
                missing++;
            }
        }

        private boolean isLost(Replica replica) {
            return replica.bad() || !services.nodes().isAlive(replica.backendId());
        }

        void add(Health other) {
            tablets += other.tablets;
            unrecoverable += other.unrecoverable;
            incomplete += other.incomplete;
            missing += other.missing;
        }

        void addTo(ShowRows rows, String id, String name) {
            long healthy = tablets - unrecoverable - incomplete - missing;
            rows.add(id, name, tablets, healthy, missing, incomplete, 0, 0, 0, 0, 0, 0, 0, unrecoverable, 0, 0, 0, 0);
        }
    }
}
