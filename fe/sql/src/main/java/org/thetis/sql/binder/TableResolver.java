// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.List;
import java.util.Optional;

/** Finds what a table name in FROM or INTO means. Implemented over the catalog snapshot that the statement reads. */
public interface TableResolver {
    /**
     * The table, view or front-end-held table of this name, or empty. Names are given as written; database and table names follow
     * lower_case_table_names. An unknown catalog or database fails with UNKNOWN_DATABASE.
     */
    Optional<ResolvedTable> find(String catalog, String database, String table);

    /** Names of the database's tables, for the hint in an error about an unknown one. */
    List<String> tableNames(String catalog, String database);
}
