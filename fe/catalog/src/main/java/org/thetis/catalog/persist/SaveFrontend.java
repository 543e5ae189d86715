// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.object.Frontend;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A front end joined or changed its ports. */
public record SaveFrontend(Frontend frontend) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withFrontend(frontend);
    }
}
