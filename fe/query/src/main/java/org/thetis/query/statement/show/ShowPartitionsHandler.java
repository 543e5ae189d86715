// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.List;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.query.result.SizeText;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowPartitions;

/** SHOW PARTITIONS FROM a table. */
public final class ShowPartitionsHandler implements StatementHandler<ShowPartitions> {
    private final StatementServices services;

    public ShowPartitionsHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowPartitions> statementType() {
        return ShowPartitions.class;
    }

    @Override
    public StatementResult run(ShowPartitions statement, StatementContext context) {
        OlapTable table = VisibleTables.getStored(services, context, ObjectName.of(statement.table(), context));
        ShowRows rows = new ShowRows(
                "PartitionId",
                "PartitionName",
                "VisibleVersion",
                "VisibleVersionTime",
                "State",
                "PartitionKey",
                "Range",
                "DistributionKey",
                "Buckets",
                "ReplicationNum",
                "StorageMedium",
                "CooldownTime",
                "RemoteStoragePolicy",
                "LastConsistencyCheckTime",
                "DataSize",
                "IsInMemory",
                "ReplicaAllocation",
                "IsMutable",
                "SyncWithBaseTables",
                "UnsyncTables",
                "CommittedVersion",
                "RowCount");
        List<Partition> partitions = statement.temporary()
                ? table.temporaryPartitions().values()
                : table.partitions().values();
        for (Partition partition : partitions) {
            rows.add(
                    partition.id(),
                    partition.name(),
                    partition.visibleVersion(),
                    TimeText.of(partition.visibleMillis()),
                    "NORMAL",
                    String.join(", ", table.partitionSpec().columns()),
                    PartitionText.range(table, partition),
                    partition.distribution().columns().isEmpty()
                            ? "RANDOM"
                            : String.join(", ", partition.distribution().columns()),
                    partition.distribution().buckets(),
                    partition.replicationNum(),
                    "HDD",
                    "9999-12-31 23:59:59",
                    "",
                    null,
                    SizeText.of(services.replicas().dataBytes(partition)),
                    "false",
                    "tag.location.default: " + partition.replicationNum(),
                    "true",
                    "true",
                    "",
                    partition.committedVersion(),
                    services.replicas().numRows(partition));
        }
        return rows.result(statement.filter(), 1);
    }
}
