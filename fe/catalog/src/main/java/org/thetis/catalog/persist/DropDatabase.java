// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Optional;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.RecycledObject;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/**
 * A database was dropped with all it held.
 *
 * @param recycleMillis when it went to the recycle bin; 0 when it is gone for good
 */
public record DropDatabase(long databaseId, long recycleMillis) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        CatalogSnapshot after = before.withoutDatabase(databaseId);
        Optional<Database> database = before.findDatabase(databaseId);
        return database.isEmpty() || recycleMillis <= 0
                ? after
                : after.withRecycled(RecycledObject.of(database.get(), recycleMillis));
    }
}
