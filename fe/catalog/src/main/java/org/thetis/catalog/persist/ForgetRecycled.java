// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.List;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** Dropped objects can no longer be recovered; their tablets are being removed. */
public record ForgetRecycled(List<Long> ids) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        CatalogSnapshot after = before;
        for (long id : ids) {
            after = after.withoutRecycled(id);
        }
        return after;
    }
}
