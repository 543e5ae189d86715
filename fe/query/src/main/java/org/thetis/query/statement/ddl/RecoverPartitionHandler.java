// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.ddl.RecoverPartition;

/** RECOVER PARTITION. */
public final class RecoverPartitionHandler implements StatementHandler<RecoverPartition> {
    private final StatementServices services;

    public RecoverPartitionHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<RecoverPartition> statementType() {
        return RecoverPartition.class;
    }

    @Override
    public StatementResult run(RecoverPartition statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.table(), context);
        services.access().checkTable(context.session().identity(), name.database(), name.name(), Privilege.ALTER);
        services.recycleBin()
                .recoverPartition(name.database(), name.name(), statement.name(), statement.id(), statement.renameTo());
        return StatementResult.Done.NOTHING;
    }
}
