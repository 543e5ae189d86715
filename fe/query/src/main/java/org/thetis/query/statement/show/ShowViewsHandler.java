// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.ShowCreate;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.object.View;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowViews;

/** SHOW VIEW FROM table: views whose text names the table. */
public final class ShowViewsHandler implements StatementHandler<ShowViews> {
    private final StatementServices services;

    public ShowViewsHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowViews> statementType() {
        return ShowViews.class;
    }

    @Override
    public StatementResult run(ShowViews statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.table(), statement.database(), context);
        ShowRows rows = new ShowRows("View", "Create View");
        Database database = services.snapshot().getDatabase(name.database());
        for (Table table : database.tables().values()) {
            if (table instanceof View view && view.query().contains(name.name())) {
                rows.add(view.name(), ShowCreate.text(view));
            }
        }
        return rows.result();
    }
}
