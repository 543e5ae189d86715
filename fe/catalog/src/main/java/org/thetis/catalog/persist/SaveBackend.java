// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.object.Backend;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A back end joined, told its ports, or was tagged or decommissioned. */
public record SaveBackend(Backend backend) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withBackend(backend);
    }
}
