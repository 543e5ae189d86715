// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.snapshot.TabletPlace;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowTablet;

/** SHOW TABLET id: where a tablet belongs. */
public final class ShowTabletHandler implements StatementHandler<ShowTablet> {
    private final StatementServices services;

    public ShowTabletHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowTablet> statementType() {
        return ShowTablet.class;
    }

    @Override
    public StatementResult run(ShowTablet statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        CatalogSnapshot catalog = services.snapshot();
        TabletPlace place = catalog.findTabletPlace(statement.tabletId())
                .orElseThrow(() ->
                        new ThetisException(ErrorCode.TABLET_NOT_FOUND, "Unknown tablet: " + statement.tabletId()));
        Database database = catalog.findDatabase(place.databaseId()).orElseThrow();
        OlapTable table =
                catalog.findOlapTable(place.databaseId(), place.tableId()).orElseThrow();
        Partition partition = table.findPartition(place.partitionId()).orElseThrow();
        String index = table.indexes().stream()
                .filter(meta -> meta.id() == place.indexId())
                .map(IndexMeta::name)
                .findFirst()
                .orElse("");
        return new ShowRows(
                        "DbName",
                        "TableName",
                        "PartitionName",
                        "IndexName",
                        "DbId",
                        "TableId",
                        "PartitionId",
                        "IndexId",
                        "IsSync",
                        "Order",
                        "QueryHits",
                        "DetailCmd")
                .add(
                        database.name(),
                        table.name(),
                        partition.name(),
                        index,
                        database.id(),
                        table.id(),
                        partition.id(),
                        place.indexId(),
                        "true",
                        place.bucket(),
                        0,
                        "SHOW TABLETS FROM `" + database.name() + "`.`" + table.name() + "` PARTITION(`"
                                + partition.name() + "`);")
                .result();
    }
}
