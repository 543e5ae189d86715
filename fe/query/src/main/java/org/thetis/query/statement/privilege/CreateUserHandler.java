// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.privilege;

import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.privilege.CreateUser;

/** CREATE USER. */
public final class CreateUserHandler implements StatementHandler<CreateUser> {
    private final StatementServices services;

    public CreateUserHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<CreateUser> statementType() {
        return CreateUser.class;
    }

    @Override
    public StatementResult run(CreateUser statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.GRANT);
        UserIdentity user = Identities.of(statement.user());
        services.privileges()
                .createUser(
                        user,
                        statement.ifNotExists(),
                        Identities.passwordHash(statement.password()),
                        statement.defaultRole(),
                        statement.comment() == null ? "" : statement.comment());
        PolicyOptions.apply(services, user, statement.policy(), context);
        return new StatementResult.Done(0, context.session().warnings().size(), "");
    }
}
