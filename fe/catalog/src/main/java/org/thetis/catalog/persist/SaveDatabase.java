// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A database was created, renamed or got properties; its tables stay as they are. */
public record SaveDatabase(long id, String name, long createMillis, Map<String, String> properties)
        implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        @Nullable Database known = before.databases().get(id);
        Database database = known == null ? Database.empty(id, name, createMillis, properties) : known;
        return before.withDatabase(database.renamed(name).withProperties(properties));
    }
}
