// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.query.session.Session;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Columns of tables and views, the built-in ones included. */
public final class ColumnsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "TABLE_CATALOG",
            "TABLE_SCHEMA",
            "TABLE_NAME",
            "COLUMN_NAME",
            "ORDINAL_POSITION bigint",
            "COLUMN_DEFAULT",
            "IS_NULLABLE",
            "DATA_TYPE",
            "CHARACTER_MAXIMUM_LENGTH bigint",
            "CHARACTER_OCTET_LENGTH bigint",
            "NUMERIC_PRECISION bigint",
            "NUMERIC_SCALE bigint",
            "DATETIME_PRECISION bigint",
            "CHARACTER_SET_NAME",
            "COLLATION_NAME",
            "COLUMN_TYPE",
            "COLUMN_KEY",
            "EXTRA",
            "PRIVILEGES",
            "COLUMN_COMMENT",
            "COLUMN_SIZE bigint",
            "DECIMAL_DIGITS bigint",
            "GENERATION_EXPRESSION",
            "SRS_ID bigint");

    @Override
    public String name() {
        return "columns";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        for (SchemaTable table : SchemaTables.create()) {
            int position = 0;
            for (ResolvedTable.Column column : table.columns()) {
                position++;
                add(
                        rows,
                        table.database(),
                        table.name(),
                        column.name(),
                        position,
                        null,
                        true,
                        column.type(),
                        "",
                        "",
                        "");
            }
        }
        context.forEachTable((database, table) -> {
            int position = 0;
            for (SchemaColumn column : table.columns()) {
                if (!column.visible()) {
                    continue;
                }
                position++;
                String key = column.key() && table instanceof OlapTable stored ? keyName(stored.keysModel()) : "";
                String extra = column.key() || column.aggregate().name().equals("NONE")
                        ? ""
                        : column.aggregate().name();
                String defaultText =
                        column.findDefault().map(value -> value.show()).orElse(null);
                add(
                        rows,
                        database.name(),
                        table.name(),
                        column.name(),
                        position,
                        defaultText,
                        column.nullable(),
                        column.type(),
                        key,
                        extra,
                        column.comment());
            }
        });
        return rows.rows();
    }

    private static void add(
            SchemaRows rows,
            String database,
            String table,
            String column,
            int position,
            @Nullable String defaultText,
            boolean nullable,
            DataType type,
            String key,
            String extra,
            String comment) {
        ColumnMetrics metrics = ColumnMetrics.of(type);
        rows.add(
                Session.INTERNAL_CATALOG,
                database,
                table,
                column,
                position,
                defaultText,
                nullable ? "YES" : "NO",
                metrics.dataType(),
                metrics.characters(),
                metrics.characters() == null ? null : metrics.characters() * 4,
                metrics.precision(),
                metrics.scale(),
                metrics.dateTimePrecision(),
                type.isText() ? "utf8mb4" : null,
                type.isText() ? "utf8mb4_0900_bin" : null,
                metrics.columnType(),
                key,
                extra,
                "",
                comment,
                metrics.size(),
                metrics.scale(),
                null,
                null);
    }

    private static String keyName(KeysModel model) {
        return switch (model) {
            case UNIQUE -> "UNI";
            case AGGREGATE -> "AGG";
            case DUPLICATE -> "DUP";
        };
    }
}
