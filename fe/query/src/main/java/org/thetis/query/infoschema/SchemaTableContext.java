// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.privilege.AccessChecker;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.query.session.StatementContext;

/** What a schema table may read: one catalog snapshot, the statement that asks, and the live services. */
public record SchemaTableContext(CatalogSnapshot catalog, StatementContext statement, SchemaServices services) {
    /** Databases the user may see, the built-in ones apart, by name. */
    public List<Database> databases() {
        AccessChecker checker = catalog.accessChecker();
        List<Database> visible = new ArrayList<>();
        for (String name : catalog.databaseIds().keys()) {
            if (checker.canSee(statement.session().identity(), Scope.database(name))) {
                catalog.findDatabase(name).ifPresent(visible::add);
            }
        }
        return visible;
    }

    /** Visits every table and view the user may see, by database and name. */
    public void forEachTable(BiConsumer<Database, Table> visitor) {
        AccessChecker checker = catalog.accessChecker();
        for (Database database : databases()) {
            for (String name : database.tableIds().keys()) {
                if (checker.canSee(statement.session().identity(), Scope.table(database.name(), name))) {
                    database.findTable(name).ifPresent(table -> visitor.accept(database, table));
                }
            }
        }
    }
}
