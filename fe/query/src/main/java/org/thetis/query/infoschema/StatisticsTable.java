// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.SecondaryIndex;
import org.thetis.query.session.Session;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Secondary indexes by column. */
public final class StatisticsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "TABLE_CATALOG",
            "TABLE_SCHEMA",
            "TABLE_NAME",
            "NON_UNIQUE bigint",
            "INDEX_SCHEMA",
            "INDEX_NAME",
            "SEQ_IN_INDEX bigint",
            "COLUMN_NAME",
            "COLLATION",
            "CARDINALITY bigint",
            "SUB_PART bigint",
            "PACKED",
            "NULLABLE",
            "INDEX_TYPE",
            "COMMENT");

    @Override
    public String name() {
        return "statistics";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        context.forEachTable((database, table) -> {
            if (table instanceof OlapTable stored) {
                for (SecondaryIndex index : stored.secondaryIndexes()) {
                    int position = 0;
                    for (String column : index.columns()) {
                        position++;
                        rows.add(
                                Session.INTERNAL_CATALOG,
                                database.name(),
                                table.name(),
                                1,
                                database.name(),
                                index.name(),
                                position,
                                column,
                                null,
                                null,
                                null,
                                null,
                                "YES",
                                index.kind(),
                                index.comment());
                    }
                }
            }
        });
        return rows.rows();
    }
}
