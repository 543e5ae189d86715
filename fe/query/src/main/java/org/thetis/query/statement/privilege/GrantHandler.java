// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.privilege;

import java.util.Set;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.privilege.Grant;

/** GRANT privileges ON a scope. */
public final class GrantHandler implements StatementHandler<Grant> {
    private final StatementServices services;

    public GrantHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<Grant> statementType() {
        return Grant.class;
    }

    @Override
    public StatementResult run(Grant statement, StatementContext context) {
        Scope scope = PrivilegeScopes.of(statement.scope(), context);
        PrivilegeScopes.checkMayGrant(services.access(), context.session().identity(), scope);
        Set<Privilege> privileges = PrivilegeScopes.privileges(statement.privileges());
        if (statement.user() != null) {
            services.privileges().grantToUser(Identities.of(statement.user()), scope, privileges);
        } else if (statement.role() != null) {
            services.privileges().grantToRole(statement.role(), scope, privileges);
        }
        return StatementResult.Done.NOTHING;
    }
}
