// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import com.google.common.collect.ImmutableSortedMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** All front-end-held tables by database and name, whatever the case. Immutable. */
public final class SchemaTableDirectory {
    private final ImmutableSortedMap<String, ImmutableSortedMap<String, SchemaTable>> databases;

    public SchemaTableDirectory(List<SchemaTable> tables) {
        TreeMap<String, TreeMap<String, SchemaTable>> found = new TreeMap<>();
        tables.forEach(table -> found.computeIfAbsent(table.database(), ignored -> new TreeMap<>())
                .put(table.name(), table));
        ImmutableSortedMap.Builder<String, ImmutableSortedMap<String, SchemaTable>> builder =
                ImmutableSortedMap.naturalOrder();
        found.forEach((name, of) -> builder.put(name, ImmutableSortedMap.copyOf(of)));
        this.databases = builder.build();
    }

    /** Names of the built-in databases. */
    public List<String> databases() {
        return databases.keySet().asList();
    }

    public boolean isBuiltIn(String database) {
        return databases.containsKey(database.toLowerCase(Locale.ROOT));
    }

    public Optional<SchemaTable> find(String database, String table) {
        ImmutableSortedMap<String, SchemaTable> tables = databases.get(database.toLowerCase(Locale.ROOT));
        return tables == null ? Optional.empty() : Optional.ofNullable(tables.get(table.toLowerCase(Locale.ROOT)));
    }

    public List<String> names(String database) {
        ImmutableSortedMap<String, SchemaTable> tables = databases.get(database.toLowerCase(Locale.ROOT));
        return tables == null ? List.of() : tables.keySet().asList();
    }
}
