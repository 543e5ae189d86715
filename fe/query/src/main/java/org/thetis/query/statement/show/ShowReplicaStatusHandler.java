// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.Optional;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.Tablet;
import org.thetis.cluster.tablet.ReplicaState;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowReplicaStatus;

/** SHOW REPLICA STATUS FROM a table. */
public final class ShowReplicaStatusHandler implements StatementHandler<ShowReplicaStatus> {
    private final StatementServices services;

    public ShowReplicaStatusHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowReplicaStatus> statementType() {
        return ShowReplicaStatus.class;
    }

    @Override
    public StatementResult run(ShowReplicaStatus statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        OlapTable table = VisibleTables.getStored(services, context, ObjectName.of(statement.table(), context));
        ShowRows rows = new ShowRows(
                "TabletId",
                "ReplicaId",
                "BackendId",
                "Version",
                "LastFailedVersion",
                "LastSuccessVersion",
                "CommittedVersion",
                "SchemaHash",
                "VersionNum",
                "IsBad",
                "IsUserDrop",
                "State",
                "Status");
        for (Partition partition : table.partitions().values()) {
            for (Tablet tablet : partition.tablets()) {
                for (Replica replica : tablet.replicas()) {
                    Optional<ReplicaState> state = services.replicas().find(tablet.id(), replica.backendId());
                    long version = state.map(ReplicaState::version).orElse(-1L);
                    boolean dead = !services.nodes().isAlive(replica.backendId());
                    boolean bad = replica.bad() || state.map(ReplicaState::bad).orElse(false);
                    boolean behind = !bad && !replica.hasVersion(partition.visibleVersion());
                    String status = dead ? "DEAD" : bad ? "BAD" : behind ? "VERSION_ERROR" : "OK";
                    rows.add(
                            tablet.id(),
                            replica.id(),
                            replica.backendId(),
                            version,
                            replica.lastFailedVersion(),
                            version,
                            partition.committedVersion(),
                            table.baseIndex().schemaHash(),
                            state.map(ReplicaState::numVersions).orElse(-1L),
                            bad,
                            "false",
                            "NORMAL",
                            status);
                }
            }
        }
        return rows.result(statement.filter());
    }
}
