// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.admin;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.admin.AdminSetFrontendConfig;

/** ADMIN SET FRONTEND CONFIG. */
public final class AdminSetFrontendConfigHandler implements StatementHandler<AdminSetFrontendConfig> {
    private final StatementServices services;

    public AdminSetFrontendConfigHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<AdminSetFrontendConfig> statementType() {
        return AdminSetFrontendConfig.class;
    }

    @Override
    public StatementResult run(AdminSetFrontendConfig statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        statement.settings().forEach((name, value) -> services.config().set(name, value, false));
        return StatementResult.Done.NOTHING;
    }
}
