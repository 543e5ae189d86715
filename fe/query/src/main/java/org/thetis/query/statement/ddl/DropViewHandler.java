// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.ddl.DropView;

/** DROP VIEW. */
public final class DropViewHandler implements StatementHandler<DropView> {
    private final StatementServices services;

    public DropViewHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<DropView> statementType() {
        return DropView.class;
    }

    @Override
    public StatementResult run(DropView statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.name(), context);
        services.access().checkTable(context.session().identity(), name.database(), name.name(), Privilege.DROP);
        services.tables().dropView(name.database(), name.name(), statement.ifExists());
        return StatementResult.Done.NOTHING;
    }
}
