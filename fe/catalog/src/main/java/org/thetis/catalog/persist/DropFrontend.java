// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A front end left. */
public record DropFrontend(String name) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withoutFrontend(name);
    }
}
