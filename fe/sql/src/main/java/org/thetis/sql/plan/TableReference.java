// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import org.thetis.catalog.object.OlapTable;

/** A stored table as a statement names it. */
public record TableReference(String catalog, String database, OlapTable table, String alias) {
    /** database.table. */
    public String qualifiedName() {
        return database + "." + table.name();
    }
}
