// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.snapshot.CatalogSnapshot;

/** Ids below `nextId` are handed out by the front end that wrote this. */
public record AllocateIds(long nextId) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withNextId(nextId);
    }
}
