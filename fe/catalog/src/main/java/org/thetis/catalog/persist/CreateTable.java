// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A table was created; its tablets exist on the back ends. */
public record CreateTable(OlapTable table) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.findTable(table.databaseId(), table.id()).isPresent() ? before : before.withTable(table);
    }
}
