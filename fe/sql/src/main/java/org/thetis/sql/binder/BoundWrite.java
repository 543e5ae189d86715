// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.List;
import org.thetis.catalog.object.OlapTable;
import org.thetis.sql.plan.LogicalPlan;
import org.thetis.sql.plan.WrittenColumns;

/**
 * A bound statement that writes rows.
 *
 * @param rows gives exactly the written columns, in their order
 * @param partitions names of those that may be written; empty for all
 */
public record BoundWrite(
        String catalog,
        String database,
        OlapTable table,
        WrittenColumns columns,
        LogicalPlan rows,
        List<String> partitions) {
    /** Copies the list. */
    public BoundWrite {
        partitions = List.copyOf(partitions);
    }
}
