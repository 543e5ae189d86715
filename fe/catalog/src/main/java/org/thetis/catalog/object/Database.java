// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;

/** A database and its tables. Immutable. Names of tables are case sensitive. */
public record Database(
        long id,
        String name,
        long createMillis,
        Map<String, String> properties,
        PersistentSortedMap<Long, Table> tables,
        PersistentSortedMap<String, Long> tableIds) {
    public Database {
        properties = Map.copyOf(properties);
    }

    /** A database without tables. */
    public static Database empty(long id, String name, long createMillis, Map<String, String> properties) {
        return new Database(
                id, name, createMillis, properties, PersistentSortedMap.empty(), PersistentSortedMap.empty());
    }

    public Optional<Table> findTable(String tableName) {
        @Nullable Long tableId = tableIds.get(tableName);
        return tableId == null ? Optional.empty() : tables.find(tableId);
    }

    public Optional<Table> findTable(long tableId) {
        return tables.find(tableId);
    }

    /** A table or view; fails with UNKNOWN_TABLE and the nearest name. */
    public Table getTable(String tableName) {
        return findTable(tableName)
                .orElseThrow(() -> new ThetisException(
                        ErrorCode.UNKNOWN_TABLE,
                        "Unknown table '" + tableName + "' in database '" + name + "'"
                                + NearestNames.suggestion(tableName, tableIds.keys())));
    }

    /** A table that stores rows; fails with UNKNOWN_TABLE, or NOT_OLAP_TABLE for a view. */
    public OlapTable getOlapTable(String tableName) {
        if (getTable(tableName) instanceof OlapTable table) {
            return table;
        }
        throw new ThetisException(ErrorCode.NOT_OLAP_TABLE, "Table '" + tableName + "' is not an OLAP table");
    }

    /** Tables that store rows, by id. */
    public List<OlapTable> olapTables() {
        List<OlapTable> found = new ArrayList<>();
        for (Map.Entry<Long, Table> entry : tables) {
            if (entry.getValue() instanceof OlapTable table) {
                found.add(table);
            }
        }
        return found;
    }

    /** Adds a table or replaces the one with the same id, under whatever name it has now. */
    public Database withTable(Table table) {
        PersistentSortedMap<String, Long> names = tableIds;
        @Nullable Table before = tables.get(table.id());
        if (before != null && !before.name().equals(table.name())) {
            names = names.without(before.name());
        }
        if (before == null || !before.name().equals(table.name())) {
            names = names.with(table.name(), table.id());
        }
        return new Database(id, name, createMillis, properties, tables.with(table.id(), table), names);
    }

    public Database withoutTable(long tableId) {
        @Nullable Table table = tables.get(tableId);
        return table == null
                ? this
                : new Database(
                        id, name, createMillis, properties, tables.without(tableId), tableIds.without(table.name()));
    }

    public Database renamed(String newName) {
        return new Database(id, newName, createMillis, properties, tables, tableIds);
    }

    public Database withProperties(Map<String, String> changed) {
        return new Database(id, name, createMillis, changed, tables, tableIds);
    }

    /** The stored form: tables as lists by kind. */
    public record Document(
            long id,
            String name,
            long createMillis,
            Map<String, String> properties,
            List<OlapTable> olapTables,
            List<View> views) {}

    @JsonValue
    public Document toDocument() {
        List<View> views = new ArrayList<>();
        for (Map.Entry<Long, Table> entry : tables) {
            if (entry.getValue() instanceof View view) {
                views.add(view);
            }
        }
        return new Document(id, name, createMillis, properties, olapTables(), views);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Database of(Document document) {
        Database database = empty(document.id, document.name, document.createMillis, document.properties);
        for (OlapTable table : document.olapTables) {
            database = database.withTable(table);
        }
        for (View view : document.views) {
            database = database.withTable(view);
        }
        return database;
    }
}
