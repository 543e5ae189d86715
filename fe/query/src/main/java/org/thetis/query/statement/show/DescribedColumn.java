// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.schema.AggregateKind;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.query.infoschema.SchemaTable;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.binder.ResolvedTable;

/** A column as DESC and SHOW COLUMNS show it. */
record DescribedColumn(
        String name,
        String type,
        boolean nullable,
        boolean key,
        @Nullable String defaultText,
        String extra,
        String comment,
        boolean isText) {
    /** The columns of a table, view or schema table that the user may see. */
    static List<DescribedColumn> of(StatementServices services, StatementContext context, ObjectName name) {
        List<DescribedColumn> columns = new ArrayList<>();
        if (services.schemaTables().isBuiltIn(name.database())) {
            SchemaTable table = services.schemaTables()
                    .find(name.database(), name.name())
                    .orElseThrow(() -> new ThetisException(
                            ErrorCode.NO_SUCH_TABLE,
                            "Unknown table '" + name.name() + "' in database '" + name.database() + "'"
                                    + NearestNames.suggestion(
                                            name.name(), services.schemaTables().names(name.database()))));
            for (ResolvedTable.Column column : table.columns()) {
                columns.add(new DescribedColumn(
                        column.name(),
                        column.type().toSql(),
                        true,
                        false,
                        null,
                        "",
                        "",
                        column.type().isText()));
            }
            return columns;
        }
        Table table = VisibleTables.get(services, context, name);
        boolean hidden = context.settings().showHiddenColumns();
        for (SchemaColumn column : table.columns()) {
            if (column.visible() || hidden) {
                columns.add(of(column, table));
            }
        }
        return columns;
    }

    static DescribedColumn of(SchemaColumn column, Table table) {
        return new DescribedColumn(
                column.name(),
                column.type().toSql(),
                column.nullable(),
                column.key(),
                column.findDefault()
                        .map(value ->
                                value.kind() == org.thetis.catalog.schema.DefaultValue.Kind.NULL ? null : value.show())
                        .orElse(null),
                extra(column, table),
                column.comment(),
                column.type().isText());
    }

    /** What happens to the column's values when rows with equal keys meet; empty for keys. */
    private static String extra(SchemaColumn column, Table table) {
        List<String> parts = new ArrayList<>();
        if (!column.key() && table instanceof OlapTable) {
            parts.add(
                    column.aggregate() == AggregateKind.NONE
                            ? "NONE"
                            : column.aggregate().name());
        }
        if (table instanceof OlapTable stored
                && stored.properties().bloomFilterColumns().stream().anyMatch(column.name()::equalsIgnoreCase)) {
            parts.add("BLOOM_FILTER");
        }
        if (column.autoIncrement()) {
            parts.add("AUTO_INCREMENT");
        }
        return String.join(",", parts);
    }
}
