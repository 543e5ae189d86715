// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.session;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.session.Use;

/** USE [catalog.]database. */
public final class UseHandler implements StatementHandler<Use> {
    private final StatementServices services;

    public UseHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<Use> statementType() {
        return Use.class;
    }

    @Override
    public StatementResult run(Use statement, StatementContext context) {
        if (statement.catalog() != null) {
            ObjectName.checkCatalog(statement.catalog());
        }
        String name = statement.database();
        if (!services.schemaTables().isBuiltIn(name)) {
            services.snapshot().getDatabase(name);
            services.access().checkDatabaseVisible(context.session().identity(), name);
        }
        context.session().useDatabase(name);
        return StatementResult.Done.NOTHING;
    }
}
