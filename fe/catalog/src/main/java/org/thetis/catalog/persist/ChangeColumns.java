// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A light schema change: columns and the properties that name them were replaced and no file was touched. */
public record ChangeColumns(AlterJob job, List<IndexMeta> indexes, @Nullable TableProperties properties)
        implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withTable(job.databaseId(), job.tableId(), this::change).withAlterJob(job);
    }

    private OlapTable change(OlapTable before) {
        OlapTable table = before.withIndexes(indexes);
        return properties == null ? table : table.withProperties(properties);
    }
}
