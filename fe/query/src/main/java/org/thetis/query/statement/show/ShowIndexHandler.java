// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.TreeMap;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.SecondaryIndex;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowIndex;

/** SHOW INDEX and SHOW KEYS: the table's secondary indexes. */
public final class ShowIndexHandler implements StatementHandler<ShowIndex> {
    private final StatementServices services;

    public ShowIndexHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowIndex> statementType() {
        return ShowIndex.class;
    }

    @Override
    public StatementResult run(ShowIndex statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.table(), statement.database(), context);
        ShowRows rows = new ShowRows(
                "Table",
                "Non_unique",
                "Key_name",
                "Seq_in_index",
                "Column_name",
                "Collation",
                "Cardinality",
                "Sub_part",
                "Packed",
                "Null",
                "Index_type",
                "Comment",
                "Properties");
        if (VisibleTables.find(services, context, name).orElse(null) instanceof OlapTable table) {
            for (SecondaryIndex index : table.secondaryIndexes()) {
                rows.add(
                        name.database() + "." + name.name(),
                        "",
                        index.name(),
                        "",
                        String.join(",", index.columns()),
                        "",
                        "",
                        "",
                        "",
                        "",
                        index.kind(),
                        index.comment(),
                        index.properties().isEmpty() ? "" : new TreeMap<>(index.properties()).toString());
            }
        }
        return rows.result(statement.filter(), 2);
    }
}
