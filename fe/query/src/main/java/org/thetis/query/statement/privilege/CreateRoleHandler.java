// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.privilege;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.privilege.CreateRole;

/** CREATE ROLE. */
public final class CreateRoleHandler implements StatementHandler<CreateRole> {
    private final StatementServices services;

    public CreateRoleHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<CreateRole> statementType() {
        return CreateRole.class;
    }

    @Override
    public StatementResult run(CreateRole statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.GRANT);
        services.privileges()
                .createRole(
                        statement.name(),
                        statement.ifNotExists(),
                        statement.comment() == null ? "" : statement.comment());
        return StatementResult.Done.NOTHING;
    }
}
