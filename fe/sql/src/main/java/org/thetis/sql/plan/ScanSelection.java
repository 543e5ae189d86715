// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.schema.Partition;
import org.thetis.sql.expr.Expr;

/**
 * The part of a table that a scan reads.
 *
 * @param tabletIds the tablets of these partitions that are read; null for all
 * @param prunedBy the conditions that were looked at already, so that pruning is not tried with them again
 */
public record ScanSelection(List<Partition> partitions, @Nullable Set<Long> tabletIds, List<Expr> prunedBy) {
    /** Copies the lists. */
    public ScanSelection {
        partitions = List.copyOf(partitions);
        prunedBy = List.copyOf(prunedBy);
    }

    /** These partitions, nothing pruned yet. */
    public static ScanSelection of(List<Partition> partitions) {
        return new ScanSelection(partitions, null, List.of());
    }

    /** Whether the tablet is read. */
    public boolean reads(long tabletId) {
        return tabletIds == null || tabletIds.contains(tabletId);
    }
}
