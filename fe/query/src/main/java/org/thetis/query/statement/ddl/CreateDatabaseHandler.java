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
import org.thetis.sql.ast.ddl.CreateDatabase;

/** CREATE DATABASE. */
public final class CreateDatabaseHandler implements StatementHandler<CreateDatabase> {
    private final StatementServices services;

    public CreateDatabaseHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<CreateDatabase> statementType() {
        return CreateDatabase.class;
    }

    @Override
    public StatementResult run(CreateDatabase statement, StatementContext context) {
        String name = ObjectName.database(statement.name());
        services.access().checkDatabase(context.session().identity(), name, Privilege.CREATE);
        if (services.schemaTables().isBuiltIn(name)) {
            throw new ThetisException(
                    ErrorCode.DATABASE_EXISTS, "Can't create database '" + name + "'; database exists");
        }
        services.databases().create(name, statement.ifNotExists(), statement.properties());
        return StatementResult.Done.NOTHING;
    }
}
