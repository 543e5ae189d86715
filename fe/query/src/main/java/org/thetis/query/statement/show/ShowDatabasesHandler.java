// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.ArrayList;
import java.util.List;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.privilege.AccessChecker;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowDatabases;

/** SHOW DATABASES: the ones the user may see, and the built-in ones. */
public final class ShowDatabasesHandler implements StatementHandler<ShowDatabases> {
    private final StatementServices services;

    public ShowDatabasesHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowDatabases> statementType() {
        return ShowDatabases.class;
    }

    @Override
    public StatementResult run(ShowDatabases statement, StatementContext context) {
        if (statement.catalog() != null) {
            ObjectName.checkCatalog(statement.catalog());
        }
        List<String> names = new ArrayList<>(services.schemaTables().databases());
        AccessChecker checker = services.access();
        for (String name : services.snapshot().databaseIds().keys()) {
            if (checker.canSee(context.session().identity(), Scope.database(name))) {
                names.add(name);
            }
        }
        ShowRows rows = new ShowRows("Database");
        names.stream().sorted().forEach(rows::add);
        return rows.result(statement.filter());
    }
}
