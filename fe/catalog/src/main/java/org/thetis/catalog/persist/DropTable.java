// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A table or view was dropped. */
public record DropTable(long databaseId, long tableId) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withoutTable(databaseId, tableId);
    }
}
