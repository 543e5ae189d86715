// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.admin;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.admin.CancelDecommission;

/** CANCEL DECOMMISSION BACKEND. */
public final class CancelDecommissionHandler implements StatementHandler<CancelDecommission> {
    private final StatementServices services;

    public CancelDecommissionHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<CancelDecommission> statementType() {
        return CancelDecommission.class;
    }

    @Override
    public StatementResult run(CancelDecommission statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.NODE);
        statement.backends().stream().map(HostPort::parse).toList().forEach(node -> services.nodes()
                .decommissionBackend(node.host(), node.port(), false));
        return StatementResult.Done.NOTHING;
    }
}
