// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.show.ShowLastInsert;

/** SHOW LAST INSERT of this session. */
public final class ShowLastInsertHandler implements StatementHandler<ShowLastInsert> {
    @Override
    public Class<ShowLastInsert> statementType() {
        return ShowLastInsert.class;
    }

    @Override
    public StatementResult run(ShowLastInsert statement, StatementContext context) {
        ShowRows rows = new ShowRows(
                "TransactionId", "Label", "Database", "Table", "TransactionStatus", "LoadedRows", "FilteredRows");
        context.session()
                .lastInsert()
                .ifPresent(insert -> rows.add(
                        insert.txnId(),
                        insert.label(),
                        insert.database(),
                        insert.table(),
                        insert.status(),
                        insert.loadedRows(),
                        insert.filteredRows()));
        return rows.result();
    }
}
