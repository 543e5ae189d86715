// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.base.config.Config;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowConfig;

/** SHOW FRONTEND CONFIG; the settings of back ends are at their own HTTP port. */
public final class ShowConfigHandler implements StatementHandler<ShowConfig> {
    private final StatementServices services;

    public ShowConfigHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowConfig> statementType() {
        return ShowConfig.class;
    }

    @Override
    public StatementResult run(ShowConfig statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        if (statement.backend()) {
            throw ThetisException.notSupported("SHOW BACKEND CONFIG (see /api/show_config of the back end)");
        }
        ShowRows rows = new ShowRows("Key", "Value", "Type", "IsMutable", "MasterOnly", "Comment");
        for (Config.Entry entry : services.config().entries()) {
            rows.add(
                    entry.key().name(),
                    entry.value(),
                    entry.key().typeName(),
                    entry.key().isMutable(),
                    entry.key().masterOnly(),
                    entry.key().doc());
        }
        return rows.result(statement.filter());
    }
}
