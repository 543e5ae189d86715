// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.privilege;

import java.util.Set;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.privilege.AlterUser;

/** ALTER USER: password, lock and comment. */
public final class AlterUserHandler implements StatementHandler<AlterUser> {
    private final StatementServices services;

    public AlterUserHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<AlterUser> statementType() {
        return AlterUser.class;
    }

    @Override
    public StatementResult run(AlterUser statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.GRANT);
        UserIdentity user = Identities.of(statement.user());
        if (!services.snapshot().users().contains(user)) {
            if (statement.ifExists()) {
                return StatementResult.Done.NOTHING;
            }
            throw new ThetisException(ErrorCode.USER_OPERATION_FAILED, "Operation ALTER USER failed for " + user);
        }
        if (statement.password() != null) {
            services.privileges().setPassword(user, Identities.passwordHash(statement.password()));
        }
        if (statement.defaultRole() != null) {
            services.privileges().grantRoles(user, Set.of(statement.defaultRole()));
        }
        if (statement.comment() != null) {
            services.privileges().setUserComment(user, statement.comment());
        }
        PolicyOptions.apply(services, user, statement.policy(), context);
        return new StatementResult.Done(0, context.session().warnings().size(), "");
    }
}
