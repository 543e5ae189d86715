// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.admin;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.admin.CleanLabel;

/** CLEAN LABEL [label] FROM db. */
public final class CleanLabelHandler implements StatementHandler<CleanLabel> {
    private final StatementServices services;

    public CleanLabelHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<CleanLabel> statementType() {
        return CleanLabel.class;
    }

    @Override
    public StatementResult run(CleanLabel statement, StatementContext context) {
        String database = ObjectName.database(statement.database());
        services.access().checkDatabase(context.session().identity(), database, Privilege.LOAD);
        services.transactions()
                .cleanLabels(services.snapshot().getDatabase(database).id(), statement.label());
        return StatementResult.Done.NOTHING;
    }
}
