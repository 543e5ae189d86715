// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A back end left. */
public record DropBackend(long id) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withoutBackend(id);
    }
}
