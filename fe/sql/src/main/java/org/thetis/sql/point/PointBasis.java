// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.PartitionSpec;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** What a point plan was made from, compared by identity, since an unchanged part of a catalog is the same object. Thread-safe. */
@SuppressWarnings("ReferenceEquality") // What did not change is the same object.
final class PointBasis {
    private final PlanScope scope;
    private final String databaseName;
    private final String tableName;
    private final Long databaseId;
    private final Long tableId;
    private final List<IndexMeta> indexes;
    private final PartitionSpec partitionSpec;
    private final TableProperties properties;

    /** The newest snapshot for which all was found unchanged. */
    private volatile CatalogSnapshot seen;

    PointBasis(CatalogSnapshot now, PlanScope scope, String databaseName, OlapTable table) {
        this.scope = scope;
        this.databaseName = databaseName;
        this.tableName = table.name();
        this.databaseId = table.databaseId();
        this.tableId = table.id();
        this.indexes = table.indexes();
        this.partitionSpec = table.partitionSpec();
        this.properties = table.properties();
        this.seen = now;
    }

    String databaseName() {
        return databaseName;
    }

    boolean holds(CatalogSnapshot now, PlanScope session) {
        if (session != scope) {
            return false;
        }
        CatalogSnapshot before = seen;
        if (now == before) {
            return true;
        }
        if (!isSame(now, before)) {
            return false;
        }
        seen = now;
        return true;
    }

    private boolean isSame(CatalogSnapshot now, CatalogSnapshot before) {
        if (now.globalVariables() != before.globalVariables()) {
            return false;
        }
        if (now.databases() != before.databases() || now.databaseIds() != before.databaseIds()) {
            if (!databaseId.equals(now.databaseIds().get(databaseName))) {
                return false;
            }
            Database database = now.databases().get(databaseId);
            if (database == null || !tableId.equals(database.tableIds().get(tableName))) {
                return false;
            }
            if (!(database.tables().get(tableId) instanceof OlapTable table)
                    || table.indexes() != indexes
                    || table.partitionSpec() != partitionSpec
                    || table.properties() != properties) {
                return false;
            }
        }
        boolean sameUsers = now.users() == before.users() && now.roles() == before.roles();
        return sameUsers
                || now.accessChecker().has(scope.user(), Scope.table(databaseName, tableName), Privilege.SELECT);
    }

    /** The table in this snapshot. */
    @Nullable
    OlapTable table(CatalogSnapshot now) {
        Database database = now.databases().get(databaseId);
        return database != null && database.tables().get(tableId) instanceof OlapTable table ? table : null;
    }
}
