// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.object.View;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A view was created or redefined. */
public record SaveView(View view) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withTable(view);
    }
}
