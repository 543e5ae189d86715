// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.privilege;

import java.util.Set;
import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.privilege.GrantRoles;

/** GRANT roles TO a user. */
public final class GrantRolesHandler implements StatementHandler<GrantRoles> {
    private final StatementServices services;

    public GrantRolesHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<GrantRoles> statementType() {
        return GrantRoles.class;
    }

    @Override
    public StatementResult run(GrantRoles statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.GRANT);
        services.privileges().grantRoles(Identities.of(statement.user()), Set.copyOf(statement.roles()));
        return StatementResult.Done.NOTHING;
    }
}
