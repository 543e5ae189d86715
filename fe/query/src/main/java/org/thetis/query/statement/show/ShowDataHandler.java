// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Scope;
import org.thetis.query.result.SizeText;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.show.ShowData;

/** SHOW DATA [FROM table]: sizes as last reported. */
public final class ShowDataHandler implements StatementHandler<ShowData> {
    private final StatementServices services;

    public ShowDataHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowData> statementType() {
        return ShowData.class;
    }

    @Override
    public StatementResult run(ShowData statement, StatementContext context) {
        QualifiedName named = statement.table();
        if (named != null) {
            return ofTable(ObjectName.of(named, context), context);
        }
        String database = context.session().requireDatabase();
        Database found = services.snapshot().getDatabase(database);
        ShowRows rows = new ShowRows("TableName", "Size", "ReplicaCount", "RemoteSize");
        long totalBytes = 0;
        long totalReplicas = 0;
        for (OlapTable table : found.olapTables()) {
            if (!services.access().canSee(context.session().identity(), Scope.table(database, table.name()))) {
                continue;
            }
            long replicas = replicas(table);
            long bytes = services.replicas().dataBytes(table);
            rows.add(table.name(), SizeText.of(bytes), replicas, SizeText.of(0));
            totalBytes += bytes;
            totalReplicas += replicas;
        }
        long dataQuota = services.config().getLong("default_db_data_quota_bytes");
        long replicaQuota = services.config().getLong("default_db_replica_quota_size");
        rows.add("Total", SizeText.of(totalBytes), totalReplicas, SizeText.of(0));
        rows.add("Quota", SizeText.of(dataQuota), replicaQuota, "");
        rows.add("Left", SizeText.of(dataQuota - totalBytes), replicaQuota - totalReplicas, "");
        return rows.result(statement.filter());
    }

    private StatementResult ofTable(ObjectName name, StatementContext context) {
        OlapTable table = VisibleTables.getStored(services, context, name);
        ShowRows rows = new ShowRows("TableName", "IndexName", "Size", "ReplicaCount", "RowCount", "RemoteSize");
        String size = SizeText.of(services.replicas().dataBytes(table));
        rows.add(
                table.name(),
                table.baseIndex().name(),
                size,
                replicas(table),
                services.replicas().numRows(table),
                SizeText.of(0));
        rows.add("", "Total", size, replicas(table), "", SizeText.of(0));
        return rows.result();
    }

    private static long replicas(OlapTable table) {
        return table.tablets().stream()
                .mapToLong(tablet -> tablet.replicas().size())
                .sum();
    }
}
