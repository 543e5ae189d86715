// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Optional;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A table took the name of another; that one got the old name of the first, or was dropped. */
public record ReplaceTable(
        long databaseId, long tableId, long replacementId, String name, String otherName, boolean swap)
        implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        Optional<Table> replaced = before.findTable(databaseId, tableId);
        Optional<Table> replacement = before.findTable(databaseId, replacementId);
        if (replacement.isEmpty() || replacement.get().name().equals(name)) {
            return before;
        }
        CatalogSnapshot after = before.withoutTable(databaseId, tableId)
                .withTable(replacement.get().renamed(name));
        return swap && replaced.isPresent() ? after.withTable(replaced.get().renamed(otherName)) : after;
    }
}
