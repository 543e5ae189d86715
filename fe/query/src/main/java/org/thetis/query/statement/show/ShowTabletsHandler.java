// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.Optional;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.Tablet;
import org.thetis.cluster.tablet.ReplicaState;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.show.ShowTablets;

/** SHOW TABLETS FROM a table: one row per replica. */
public final class ShowTabletsHandler implements StatementHandler<ShowTablets> {
    private final StatementServices services;

    public ShowTabletsHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowTablets> statementType() {
        return ShowTablets.class;
    }

    @Override
    public StatementResult run(ShowTablets statement, StatementContext context) {
        OlapTable table = VisibleTables.getStored(services, context, ObjectName.of(statement.table(), context));
        PartitionSelection selection = statement.partitions();
        ShowRows rows = new ShowRows(
                        "TabletId",
                        "ReplicaId",
                        "BackendId",
                        "SchemaHash",
                        "Version",
                        "LstSuccessVersion",
                        "LstFailedVersion",
                        "LstFailedTime",
                        "LocalDataSize",
                        "RemoteDataSize",
                        "RowCount",
                        "State",
                        "LstConsistencyCheckTime",
                        "CheckVersion",
                        "VisibleVersionCount",
                        "VersionCount",
                        "QueryHits",
                        "PathHash",
                        "Path",
                        "MetaUrl",
                        "CompactionStatus",
                        "CooldownReplicaId",
                        "CooldownMetaId")
                .numeric("TabletId", "ReplicaId", "BackendId", "Version", "RowCount", "VersionCount");
        for (Partition partition : table.partitions().values()) {
            if (selection != null && selection.names().stream().noneMatch(partition.name()::equalsIgnoreCase)) {
                continue;
            }
            for (Tablet tablet : partition.tablets()) {
                for (Replica replica : tablet.replicas()) {
                    addReplica(rows, table, partition, tablet, replica);
                }
            }
        }
        return rows.result(statement.filter());
    }

    private void addReplica(ShowRows rows, OlapTable table, Partition partition, Tablet tablet, Replica replica) {
        Optional<ReplicaState> state = services.replicas().find(tablet.id(), replica.backendId());
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
                table.baseIndex().schemaHash(),
                version,
                version,
                replica.lastFailedVersion(),
                TimeText.of(replica.lastFailedMillis()),
                state.map(ReplicaState::dataBytes).orElse(0L),
                0,
                state.map(ReplicaState::numRows).orElse(0L),
                replica.bad() || state.map(ReplicaState::bad).orElse(false) ? "BAD" : "NORMAL",
                null,
                -1,
                state.map(ReplicaState::numVersions).orElse(1L),
                state.map(ReplicaState::numVersions).orElse(1L),
                0,
                -1,
                "",
                address + "/api/meta/header/" + tablet.id(),
                address + "/api/compaction/show?tablet_id=" + tablet.id(),
                -1,
                "");
    }
}
