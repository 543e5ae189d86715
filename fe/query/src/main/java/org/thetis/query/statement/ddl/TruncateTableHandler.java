// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import java.util.List;
import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.ddl.TruncateTable;

/** TRUNCATE TABLE, whole or by partitions. */
public final class TruncateTableHandler implements StatementHandler<TruncateTable> {
    private final StatementServices services;

    public TruncateTableHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<TruncateTable> statementType() {
        return TruncateTable.class;
    }

    @Override
    public StatementResult run(TruncateTable statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.name(), context);
        services.access().checkTable(context.session().identity(), name.database(), name.name(), Privilege.LOAD);
        PartitionSelection selection = statement.partitions();
        services.tables().truncate(name.database(), name.name(), selection == null ? List.of() : selection.names());
        return StatementResult.Done.NOTHING;
    }
}
