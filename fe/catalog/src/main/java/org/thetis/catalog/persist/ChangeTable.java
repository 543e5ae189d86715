// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** Parts of a table that need no work on back ends were replaced; what is null stays. */
public record ChangeTable(
        long databaseId,
        long tableId,
        @Nullable String name,
        @Nullable String comment,
        @Nullable TableProperties properties,
        @Nullable Distribution distribution,
        @Nullable List<IndexMeta> indexes)
        implements JournalRecord {
    /** Only the name changes. */
    public static ChangeTable rename(Table table, String name) {
        return new ChangeTable(table.databaseId(), table.id(), name, null, null, null, null);
    }

    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        Optional<Table> found = before.findTable(databaseId, tableId);
        if (found.isEmpty()) {
            return before;
        }
        if (found.get() instanceof OlapTable) {
            return before.withTable(databaseId, tableId, this::change);
        }
        return name == null ? before : before.withTable(found.get().renamed(name));
    }

    private OlapTable change(OlapTable before) {
        OlapTable table = name == null ? before : before.renamed(name);
        table = comment == null ? table : table.withComment(comment);
        table = properties == null ? table : table.withProperties(properties);
        table = distribution == null ? table : table.withDistribution(distribution);
        return indexes == null ? table : table.withIndexes(indexes);
    }
}
