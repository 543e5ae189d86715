// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.privilege.AccessChecker;
import org.thetis.catalog.schema.Partition;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowTableStatus;

/** SHOW TABLE STATUS. */
public final class ShowTableStatusHandler implements StatementHandler<ShowTableStatus> {
    private final StatementServices services;

    public ShowTableStatusHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowTableStatus> statementType() {
        return ShowTableStatus.class;
    }

    @Override
    public StatementResult run(ShowTableStatus statement, StatementContext context) {
        String database = ObjectName.databaseOrCurrent(statement.database(), context);
        ShowRows rows = new ShowRows(
                "Name",
                "Engine",
                "Version",
                "Row_format",
                "Rows",
                "Avg_row_length",
                "Data_length",
                "Max_data_length",
                "Index_length",
                "Data_free",
                "Auto_increment",
                "Create_time",
                "Update_time",
                "Check_time",
                "Collation",
                "Checksum",
                "Create_options",
                "Comment");
        if (services.schemaTables().isBuiltIn(database)) {
            services.schemaTables()
                    .names(database)
                    .forEach(name -> rows.add(
                            name,
                            "SYSTEM VIEW",
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            "utf-8",
                            null,
                            null,
                            ""));
            return rows.result(statement.filter());
        }
        Database found = services.snapshot().getDatabase(database);
        AccessChecker checker = services.access();
        for (String name : found.tableIds().keys()) {
            if (checker.canSee(context.session().identity(), Scope.table(database, name))) {
                add(rows, found.getTable(name));
            }
        }
        return rows.result(statement.filter());
    }

    private void add(ShowRows rows, Table table) {
        if (!(table instanceof OlapTable stored)) {
            rows.add(
                    table.name(),
                    "View",
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    TimeText.of(table.createMillis()),
                    null,
                    null,
                    "utf-8",
                    null,
                    null,
                    table.comment());
            return;
        }
        long numRows = services.replicas().numRows(stored);
        long bytes = services.replicas().dataBytes(stored);
        long updated = stored.partitions().values().stream()
                .mapToLong(Partition::visibleMillis)
                .max()
                .orElse(-1);
        rows.add(
                stored.name(),
                "Doris",
                null,
                null,
                numRows,
                numRows == 0 ? 0 : bytes / numRows,
                bytes,
                null,
                0,
                null,
                null,
                TimeText.of(stored.createMillis()),
                TimeText.of(updated),
                null,
                "utf-8",
                null,
                null,
                stored.comment());
    }
}
