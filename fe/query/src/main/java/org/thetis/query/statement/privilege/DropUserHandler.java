// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.privilege;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.privilege.DropUser;

/** DROP USER. */
public final class DropUserHandler implements StatementHandler<DropUser> {
    private final StatementServices services;

    public DropUserHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<DropUser> statementType() {
        return DropUser.class;
    }

    @Override
    public StatementResult run(DropUser statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.GRANT);
        services.privileges().dropUser(Identities.of(statement.user()), statement.ifExists());
        return StatementResult.Done.NOTHING;
    }
}
