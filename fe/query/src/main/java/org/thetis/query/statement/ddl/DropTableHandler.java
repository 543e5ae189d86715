// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.ddl.DropTable;

/** DROP TABLE. */
public final class DropTableHandler implements StatementHandler<DropTable> {
    private final StatementServices services;

    public DropTableHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<DropTable> statementType() {
        return DropTable.class;
    }

    @Override
    public StatementResult run(DropTable statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.name(), context);
        services.access().checkTable(context.session().identity(), name.database(), name.name(), Privilege.DROP);
        services.tables().drop(name.database(), name.name(), statement.ifExists(), statement.force());
        return StatementResult.Done.NOTHING;
    }
}
