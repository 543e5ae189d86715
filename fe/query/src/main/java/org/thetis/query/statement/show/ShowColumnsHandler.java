// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowColumns;

/** SHOW [FULL] COLUMNS. */
public final class ShowColumnsHandler implements StatementHandler<ShowColumns> {
    private final StatementServices services;

    public ShowColumnsHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowColumns> statementType() {
        return ShowColumns.class;
    }

    @Override
    public StatementResult run(ShowColumns statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.table(), statement.database(), context);
        ShowRows rows = statement.full()
                ? new ShowRows("Field", "Type", "Collation", "Null", "Key", "Default", "Extra", "Privileges", "Comment")
                : new ShowRows("Field", "Type", "Null", "Key", "Default", "Extra");
        for (DescribedColumn column : DescribedColumn.of(services, context, name)) {
            String nullable = column.nullable() ? "YES" : "NO";
            String key = column.key() ? "YES" : "NO";
            if (statement.full()) {
                rows.add(
                        column.name(),
                        column.type(),
                        column.isText() ? "utf8mb4_0900_bin" : null,
                        nullable,
                        key,
                        column.defaultText(),
                        column.extra(),
                        "",
                        column.comment());
            } else {
                rows.add(column.name(), column.type(), nullable, key, column.defaultText(), column.extra());
            }
        }
        return rows.result(statement.filter());
    }
}
