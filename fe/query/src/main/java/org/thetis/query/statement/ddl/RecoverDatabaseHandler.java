// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.ddl.RecoverDatabase;

/** RECOVER DATABASE. */
public final class RecoverDatabaseHandler implements StatementHandler<RecoverDatabase> {
    private final StatementServices services;

    public RecoverDatabaseHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<RecoverDatabase> statementType() {
        return RecoverDatabase.class;
    }

    @Override
    public StatementResult run(RecoverDatabase statement, StatementContext context) {
        services.access().checkDatabase(context.session().identity(), statement.name(), Privilege.CREATE);
        services.recycleBin().recoverDatabase(statement.name(), statement.id(), statement.renameTo());
        return StatementResult.Done.NOTHING;
    }
}
