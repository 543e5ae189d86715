// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowTableById;

/** SHOW TABLE id. */
public final class ShowTableByIdHandler implements StatementHandler<ShowTableById> {
    private final StatementServices services;

    public ShowTableByIdHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowTableById> statementType() {
        return ShowTableById.class;
    }

    @Override
    public StatementResult run(ShowTableById statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        ShowRows rows = new ShowRows("DbName", "TableName", "DbId");
        for (Database database : services.snapshot().databases().values()) {
            database.findTable(statement.tableId())
                    .ifPresent(table -> rows.add(database.name(), table.name(), database.id()));
        }
        return rows.result();
    }
}
