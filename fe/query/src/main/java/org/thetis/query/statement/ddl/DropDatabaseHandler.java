// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.ddl.DropDatabase;

/** DROP DATABASE. */
public final class DropDatabaseHandler implements StatementHandler<DropDatabase> {
    private final StatementServices services;

    public DropDatabaseHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<DropDatabase> statementType() {
        return DropDatabase.class;
    }

    @Override
    public StatementResult run(DropDatabase statement, StatementContext context) {
        String name = ObjectName.database(statement.name());
        services.access().checkDatabase(context.session().identity(), name, Privilege.DROP);
        if (services.schemaTables().isBuiltIn(name)) {
            throw new ThetisException(
                    ErrorCode.ACCESS_DENIED_DATABASE, "Access denied: database '" + name + "' is built in");
        }
        services.databases().drop(name, statement.ifExists(), statement.force());
        if (context.session().database().map(name::equals).orElse(false)) {
            context.session().useDatabase(null);
        }
        return StatementResult.Done.NOTHING;
    }
}
