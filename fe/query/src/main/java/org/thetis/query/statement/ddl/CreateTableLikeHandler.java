// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.ddl.CreateTableLike;

/** CREATE TABLE LIKE. */
public final class CreateTableLikeHandler implements StatementHandler<CreateTableLike> {
    private final StatementServices services;

    public CreateTableLikeHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<CreateTableLike> statementType() {
        return CreateTableLike.class;
    }

    @Override
    public StatementResult run(CreateTableLike statement, StatementContext context) {
        if (statement.withRollup()) {
            throw ThetisException.notSupported("CREATE TABLE LIKE ... WITH ROLLUP");
        }
        ObjectName name = ObjectName.of(statement.name(), context);
        ObjectName source = ObjectName.of(statement.source(), context);
        services.access().checkTable(context.session().identity(), source.database(), source.name(), Privilege.SELECT);
        services.access().checkTable(context.session().identity(), name.database(), name.name(), Privilege.CREATE);
        services.tables()
                .createLike(name.database(), name.name(), statement.ifNotExists(), source.database(), source.name());
        return StatementResult.Done.NOTHING;
    }
}
