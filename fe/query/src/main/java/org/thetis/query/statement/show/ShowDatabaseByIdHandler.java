// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowDatabaseById;

/** SHOW DATABASE id. */
public final class ShowDatabaseByIdHandler implements StatementHandler<ShowDatabaseById> {
    private final StatementServices services;

    public ShowDatabaseByIdHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowDatabaseById> statementType() {
        return ShowDatabaseById.class;
    }

    @Override
    public StatementResult run(ShowDatabaseById statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        ShowRows rows = new ShowRows("DbName");
        services.snapshot().findDatabase(statement.databaseId()).ifPresent(database -> rows.add(database.name()));
        return rows.result();
    }
}
