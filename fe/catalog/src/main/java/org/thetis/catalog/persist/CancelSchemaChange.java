// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Optional;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A schema change was given up: the shadow index is gone and the table is what it was. */
public record CancelSchemaChange(long jobId, long millis, String reason) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        Optional<AlterJob> job =
                before.alterJobs().find(jobId).filter(known -> !known.state().isFinal());
        if (job.isEmpty()) {
            return before;
        }
        CatalogSnapshot after = before.withAlterJob(job.get().ended(AlterJob.State.CANCELLED, millis, reason));
        Optional<OlapTable> table =
                before.findOlapTable(job.get().databaseId(), job.get().tableId());
        return table.isEmpty()
                ? after
                : after.withTable(table.get().withoutIndex(job.get().indexId()));
    }
}
