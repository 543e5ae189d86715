// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.ShowCreate;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.object.View;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowCreateTable;

/** SHOW CREATE TABLE, for views too. */
public final class ShowCreateTableHandler implements StatementHandler<ShowCreateTable> {
    private final StatementServices services;

    public ShowCreateTableHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowCreateTable> statementType() {
        return ShowCreateTable.class;
    }

    @Override
    public StatementResult run(ShowCreateTable statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.table(), context);
        Table table = VisibleTables.get(services, context, name);
        if (table instanceof View view) {
            return ViewText.result(view);
        }
        return new ShowRows("Table", "Create Table")
                .add(table.name(), ShowCreate.text(table))
                .result();
    }
}
