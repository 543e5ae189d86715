// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.privilege;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.privilege.DropRole;

/** DROP ROLE. */
public final class DropRoleHandler implements StatementHandler<DropRole> {
    private final StatementServices services;

    public DropRoleHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<DropRole> statementType() {
        return DropRole.class;
    }

    @Override
    public StatementResult run(DropRole statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.GRANT);
        services.privileges().dropRole(statement.name(), statement.ifExists());
        return StatementResult.Done.NOTHING;
    }
}
