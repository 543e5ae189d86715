// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Table space files: there are none. */
public final class FilesTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "FILE_ID bigint",
            "FILE_NAME",
            "FILE_TYPE",
            "TABLESPACE_NAME",
            "TABLE_CATALOG",
            "TABLE_SCHEMA",
            "TABLE_NAME",
            "LOGFILE_GROUP_NAME",
            "LOGFILE_GROUP_NUMBER bigint",
            "ENGINE",
            "STATUS",
            "EXTRA");

    @Override
    public String name() {
        return "files";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        return List.of();
    }
}
