// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A database was dropped with all it held. */
public record DropDatabase(long databaseId) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withoutDatabase(databaseId);
    }
}
