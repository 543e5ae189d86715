// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Optional;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.RecycledObject;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A dropped object came back, under the name it has then. */
public record Recover(long id, String name) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        Optional<RecycledObject> found = before.recycleBin().objects().find(id);
        if (found.isEmpty()) {
            return before;
        }
        RecycledObject object = found.get();
        CatalogSnapshot after = before.withoutRecycled(id);
        if (object.database() != null) {
            return after.withDatabase(object.database().renamed(name));
        }
        if (object.table() != null) {
            return after.withTable(object.table().renamed(name));
        }
        Optional<OlapTable> table = after.findOlapTable(object.databaseId(), object.tableId());
        return table.isEmpty() || object.partition() == null
                ? after
                : after.withTable(table.get().withPartition(object.partition().withName(name)));
    }
}
