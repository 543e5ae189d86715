// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Comparator;

/** What a grant covers: `*.*.*`, `catalog.*.*`, `catalog.database.*` or `catalog.database.table`; `*` in a part covers all. */
public record Scope(String catalog, String database, String table) implements Comparable<Scope> {
    public static final String ANY = "*";
    public static final String INTERNAL_CATALOG = "internal";
    public static final Scope GLOBAL = new Scope(ANY, ANY, ANY);

    private static final Comparator<Scope> ORDER = Comparator.comparing(Scope::catalog)
            .thenComparing(scope -> scope.database)
            .thenComparing(scope -> scope.table);

    /** Where the parts stop being `*`. */
    public enum Level {
        GLOBAL,
        CATALOG,
        DATABASE,
        TABLE
    }

    public static Scope database(String name) {
        return new Scope(INTERNAL_CATALOG, name, ANY);
    }

    public static Scope table(String database, String table) {
        return new Scope(INTERNAL_CATALOG, database, table);
    }

    public Level level() {
        if (!table.equals(ANY)) {
            return Level.TABLE;
        }
        if (!database.equals(ANY)) {
            return Level.DATABASE;
        }
        return catalog.equals(ANY) ? Level.GLOBAL : Level.CATALOG;
    }

    /** Whether a grant on this scope also holds for the other. */
    public boolean covers(Scope other) {
        return covers(catalog, other.catalog) && covers(database, other.database) && covers(table, other.table);
    }

    /** Whether something may exist that lies in both. */
    public boolean touches(Scope other) {
        return covers(other) || other.covers(this);
    }

    private static boolean covers(String granted, String wanted) {
        return granted.equals(ANY) || granted.equals(wanted);
    }

    @Override
    public int compareTo(Scope other) {
        return ORDER.compare(this, other);
    }

    /** As in SHOW GRANTS: the parts that matter at this level. */
    @JsonIgnore
    public String show() {
        return switch (level()) {
            case GLOBAL -> "*.*.*";
            case CATALOG -> catalog + ".*.*";
            case DATABASE -> catalog + "." + database + ".*";
            case TABLE -> catalog + "." + database + "." + table;
        };
    }
}
