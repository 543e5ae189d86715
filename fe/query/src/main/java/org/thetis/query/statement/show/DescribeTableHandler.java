// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.session.DescribeTable;

/** DESC table [ALL]. */
public final class DescribeTableHandler implements StatementHandler<DescribeTable> {
    private final StatementServices services;

    public DescribeTableHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<DescribeTable> statementType() {
        return DescribeTable.class;
    }

    @Override
    public StatementResult run(DescribeTable statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.table(), context);
        if (statement.all() && VisibleTables.find(services, context, name).orElse(null) instanceof OlapTable table) {
            return all(table);
        }
        ShowRows rows = new ShowRows("Field", "Type", "Null", "Key", "Default", "Extra");
        for (DescribedColumn column : DescribedColumn.of(services, context, name)) {
            rows.add(
                    column.name(),
                    column.type(),
                    column.nullable() ? "Yes" : "No",
                    Boolean.toString(column.key()),
                    column.defaultText(),
                    column.extra());
        }
        return rows.result();
    }

    private static StatementResult all(OlapTable table) {
        ShowRows rows = new ShowRows(
                "IndexName",
                "IndexKeysType",
                "Field",
                "Type",
                "InternalType",
                "Null",
                "Key",
                "Default",
                "Extra",
                "Visible",
                "DefineExpr",
                "WhereClause");
        for (IndexMeta index : table.indexes()) {
            boolean first = true;
            for (SchemaColumn schemaColumn : index.visibleColumns()) {
                DescribedColumn column = DescribedColumn.of(schemaColumn, table);
                rows.add(
                        first ? index.name() : "",
                        first ? index.keysModel().showName() : "",
                        column.name(),
                        column.type(),
                        column.type(),
                        column.nullable() ? "Yes" : "No",
                        Boolean.toString(column.key()),
                        column.defaultText(),
                        column.extra(),
                        "true",
                        "",
                        "");
                first = false;
            }
        }
        return rows.result();
    }
}
