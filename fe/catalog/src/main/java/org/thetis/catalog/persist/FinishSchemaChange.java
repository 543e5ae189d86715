// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A schema change is done: the shadow index is the base index now, and the old one is gone. */
public record FinishSchemaChange(long jobId, long millis, @Nullable TableProperties properties)
        implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        Optional<AlterJob> job =
                before.alterJobs().find(jobId).filter(known -> !known.state().isFinal());
        if (job.isEmpty()) {
            return before;
        }
        CatalogSnapshot after = before.withAlterJob(job.get().ended(AlterJob.State.FINISHED, millis, ""));
        Optional<OlapTable> table =
                before.findOlapTable(job.get().databaseId(), job.get().tableId());
        if (table.isEmpty()) {
            return after;
        }
        OlapTable swapped = table.get().withShadowAsBase(job.get().indexId());
        return after.withTable(properties == null ? swapped : swapped.withProperties(properties));
    }
}
