// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.privilege;

import java.util.Set;
import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.privilege.RevokeRoles;

/** REVOKE roles FROM a user. */
public final class RevokeRolesHandler implements StatementHandler<RevokeRoles> {
    private final StatementServices services;

    public RevokeRolesHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<RevokeRoles> statementType() {
        return RevokeRoles.class;
    }

    @Override
    public StatementResult run(RevokeRoles statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.GRANT);
        services.privileges().revokeRoles(Identities.of(statement.user()), Set.copyOf(statement.roles()));
        return StatementResult.Done.NOTHING;
    }
}
