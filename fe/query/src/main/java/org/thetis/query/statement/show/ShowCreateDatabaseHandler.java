// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.ShowCreate;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowCreateDatabase;

/** SHOW CREATE DATABASE. */
public final class ShowCreateDatabaseHandler implements StatementHandler<ShowCreateDatabase> {
    private final StatementServices services;

    public ShowCreateDatabaseHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowCreateDatabase> statementType() {
        return ShowCreateDatabase.class;
    }

    @Override
    public StatementResult run(ShowCreateDatabase statement, StatementContext context) {
        String name = ObjectName.database(statement.database());
        ShowRows rows = new ShowRows("Database", "Create Database");
        if (services.schemaTables().isBuiltIn(name)) {
            return rows.add(name, "CREATE DATABASE `" + name + "`").result();
        }
        services.access().checkDatabaseVisible(context.session().identity(), name);
        return rows.add(name, ShowCreate.database(services.snapshot().getDatabase(name)))
                .result();
    }
}
