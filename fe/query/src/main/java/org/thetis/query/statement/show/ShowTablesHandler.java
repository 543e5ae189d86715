// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.object.View;
import org.thetis.catalog.privilege.AccessChecker;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowTables;

/** SHOW [FULL] TABLES and SHOW VIEWS. */
public final class ShowTablesHandler implements StatementHandler<ShowTables> {
    private final StatementServices services;

    public ShowTablesHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowTables> statementType() {
        return ShowTables.class;
    }

    @Override
    public StatementResult run(ShowTables statement, StatementContext context) {
        String database = ObjectName.databaseOrCurrent(statement.database(), context);
        ShowRows rows = statement.full()
                ? new ShowRows("Tables_in_" + database, "Table_type", "Storage_format", "Inverted_index_storage_format")
                : new ShowRows("Tables_in_" + database);
        if (services.schemaTables().isBuiltIn(database)) {
            for (String name : services.schemaTables().names(database)) {
                add(rows, name, "SYSTEM VIEW", "NONE", "NONE", statement);
            }
            return rows.result(statement.filter());
        }
        Database found = services.snapshot().getDatabase(database);
        AccessChecker checker = services.access();
        for (String name : found.tableIds().keys()) {
            Table table = found.getTable(name);
            boolean view = table instanceof View;
            if (checker.canSee(context.session().identity(), Scope.table(database, name))
                    && (view || !statement.viewsOnly())) {
                add(rows, name, view ? "VIEW" : "BASE TABLE", view ? "NONE" : "V2", view ? "NONE" : "V2", statement);
            }
        }
        return rows.result(statement.filter());
    }

    private static void add(
            ShowRows rows, String name, String type, String format, String indexFormat, ShowTables statement) {
        if (statement.full()) {
            rows.add(name, type, format, indexFormat);
        } else {
            rows.add(name);
        }
    }
}
