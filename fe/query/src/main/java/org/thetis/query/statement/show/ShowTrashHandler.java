// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.SizeText;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowTrash;

/** SHOW TRASH: back ends delete at once, so it is empty. */
public final class ShowTrashHandler implements StatementHandler<ShowTrash> {
    private final StatementServices services;

    public ShowTrashHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowTrash> statementType() {
        return ShowTrash.class;
    }

    @Override
    public StatementResult run(ShowTrash statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        ShowRows rows = new ShowRows("BackendId", "Backend", "TrashUsedCapacity");
        services.nodes()
                .backends()
                .forEach(state -> rows.add(
                        state.id(),
                        state.backend().host() + ":" + state.backend().heartbeatPort(),
                        SizeText.of(0)));
        return rows.result();
    }
}
