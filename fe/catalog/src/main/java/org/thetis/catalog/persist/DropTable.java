// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Optional;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.RecycledObject;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/**
 * A table or view was dropped.
 *
 * @param recycleMillis when a table went to the recycle bin; 0 when it is gone for good
 */
public record DropTable(long databaseId, long tableId, long recycleMillis) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        CatalogSnapshot after = before.withoutTable(databaseId, tableId);
        Optional<OlapTable> table = before.findOlapTable(databaseId, tableId);
        return table.isEmpty() || recycleMillis <= 0
                ? after
                : after.withRecycled(RecycledObject.of(table.get(), recycleMillis));
    }
}
