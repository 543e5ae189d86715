// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** The shadow tablets of a schema change exist: from now on loads write them too. */
public record StartSchemaChange(AlterJob job, Map<Long, Partition.IndexTablets> tablets) implements JournalRecord {
    public StartSchemaChange {
        tablets = Map.copyOf(tablets);
    }

    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        Optional<OlapTable> table = before.findOlapTable(job.databaseId(), job.tableId());
        boolean waits = before.alterJobs()
                .find(job.id())
                .map(known -> known.state() == AlterJob.State.PENDING)
                .orElse(false);
        if (table.isEmpty() || !waits) {
            return before;
        }
        return before.withTable(table.get().withShadow(Objects.requireNonNull(job.shadow()), tablets))
                .withAlterJob(job);
    }
}
