// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.admin;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.SqlWarning;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.admin.Analyze;

/** ANALYZE: row counts come from tablet reports; column statistics are not collected yet, which a warning says. */
public final class AnalyzeHandler implements StatementHandler<Analyze> {
    private final StatementServices services;

    public AnalyzeHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<Analyze> statementType() {
        return Analyze.class;
    }

    @Override
    public StatementResult run(Analyze statement, StatementContext context) {
        String name = statement.database()
                ? ObjectName.database(statement.name())
                : ObjectName.of(statement.name(), context).name();
        if (!statement.database()) {
            ObjectName table = ObjectName.of(statement.name(), context);
            services.access()
                    .checkTable(context.session().identity(), table.database(), table.name(), Privilege.SELECT);
            services.snapshot().getDatabase(table.database()).getOlapTable(table.name());
        } else {
            services.snapshot().getDatabase(name);
        }
        context.session()
                .addWarning(SqlWarning.of(
                        "row counts of '" + name + "' come from tablet reports; column statistics are not collected"));
        return new StatementResult.Done(0, context.session().warnings().size(), "");
    }
}
