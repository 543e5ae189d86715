// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.ddl.RecoverTable;

/** RECOVER TABLE. */
public final class RecoverTableHandler implements StatementHandler<RecoverTable> {
    private final StatementServices services;

    public RecoverTableHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<RecoverTable> statementType() {
        return RecoverTable.class;
    }

    @Override
    public StatementResult run(RecoverTable statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.name(), context);
        services.access().checkTable(context.session().identity(), name.database(), name.name(), Privilege.CREATE);
        services.recycleBin().recoverTable(name.database(), name.name(), statement.id(), statement.renameTo());
        return StatementResult.Done.NOTHING;
    }
}
