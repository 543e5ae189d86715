// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A schema change began or reached another state; an ended job stays as it is. */
public record SaveAlterJob(AlterJob job) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        boolean ended = before.alterJobs()
                .find(job.id())
                .map(known -> known.state().isFinal())
                .orElse(false);
        return ended ? before : before.withAlterJob(job);
    }
}
