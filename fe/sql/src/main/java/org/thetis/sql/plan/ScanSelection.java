// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.schema.Partition;

/**
 * The part of a table that a scan reads.
 *
 * @param tabletIds the tablets of these partitions that are read; null for all
 * @param pruned whether conditions were looked at already, so that pruning is not tried again
 */
public record ScanSelection(List<Partition> partitions, @Nullable Set<Long> tabletIds, boolean pruned) {
    /** Copies the list. */
    public ScanSelection {
        partitions = List.copyOf(partitions);
    }

    /** These partitions, nothing pruned yet. */
    public static ScanSelection of(List<Partition> partitions) {
        return new ScanSelection(partitions, null, false);
    }

    /** Whether the tablet is read. */
    public boolean reads(long tabletId) {
        return tabletIds == null || tabletIds.contains(tabletId);
    }
}
