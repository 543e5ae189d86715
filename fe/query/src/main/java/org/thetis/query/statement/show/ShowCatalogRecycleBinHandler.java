// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.RecycledObject;
import org.thetis.query.result.SizeText;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowCatalogRecycleBin;

/** SHOW CATALOG RECYCLE BIN. */
public final class ShowCatalogRecycleBinHandler implements StatementHandler<ShowCatalogRecycleBin> {
    private final StatementServices services;

    public ShowCatalogRecycleBinHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowCatalogRecycleBin> statementType() {
        return ShowCatalogRecycleBin.class;
    }

    @Override
    public StatementResult run(ShowCatalogRecycleBin statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        ShowRows rows = new ShowRows(
                "Type", "Name", "DbId", "TableId", "PartitionId", "DropTime", "DataSize", "RemoteDataSize");
        for (RecycledObject object : services.snapshot().recycleBin().objects().values()) {
            String type = object.database() != null ? "Database" : object.table() != null ? "Table" : "Partition";
            long bytes = object.partitions().stream()
                    .mapToLong(services.replicas()::dataBytes)
                    .sum();
            rows.add(
                    type,
                    object.name(),
                    object.databaseId(),
                    object.tableId() == 0 ? "" : object.tableId(),
                    object.partition() == null ? "" : object.id(),
                    TimeText.of(object.dropMillis()),
                    SizeText.of(bytes),
                    SizeText.of(0));
        }
        return rows.result(statement.filter(), 1);
    }
}
