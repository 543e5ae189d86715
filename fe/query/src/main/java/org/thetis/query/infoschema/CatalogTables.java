// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.object.View;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.query.session.Session;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.binder.TableResolver;

/** Finds tables for the planner in one catalog snapshot, and among the tables the front end holds. */
final class CatalogTables implements TableResolver {
    private final SchemaTableContext context;
    private final SchemaTableDirectory schemaTables;

    CatalogTables(SchemaTableContext context, SchemaTableDirectory schemaTables) {
        this.context = context;
        this.schemaTables = schemaTables;
    }

    @Override
    public Optional<ResolvedTable> find(String catalog, String database, String table) {
        checkCatalog(catalog);
        if (schemaTables.isBuiltIn(database)) {
            return schemaTables
                    .find(database, table)
                    .map(found -> new ResolvedTable.Rows(
                            Session.INTERNAL_CATALOG,
                            found.database(),
                            found.name().toUpperCase(Locale.ROOT),
                            found.columns(),
                            () -> found.rows(context)));
        }
        Optional<Table> found = context.catalog().getDatabase(database).findTable(table);
        return found.map(known -> resolve(database, known));
    }

    @Override
    public List<String> tableNames(String catalog, String database) {
        checkCatalog(catalog);
        if (schemaTables.isBuiltIn(database)) {
            return schemaTables.names(database);
        }
        return context.catalog()
                .findDatabase(database)
                .map(known -> known.tableIds().keys())
                .orElse(List.of());
    }

    private static ResolvedTable resolve(String database, Table table) {
        if (table instanceof OlapTable stored) {
            return new ResolvedTable.Stored(Session.INTERNAL_CATALOG, database, stored);
        }
        View view = (View) table;
        List<String> names = new ArrayList<>();
        for (SchemaColumn column : view.columns()) {
            names.add(column.name());
        }
        return new ResolvedTable.View(Session.INTERNAL_CATALOG, database, view.name(), view.query(), names);
    }

    private static void checkCatalog(String catalog) {
        if (!catalog.equalsIgnoreCase(Session.INTERNAL_CATALOG)) {
            throw new ThetisException(ErrorCode.UNKNOWN_DATABASE, "Unknown catalog '" + catalog + "'");
        }
    }
}
