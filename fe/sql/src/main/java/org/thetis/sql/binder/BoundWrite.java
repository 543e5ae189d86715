// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.List;
import org.thetis.catalog.object.OlapTable;
import org.thetis.sql.plan.LogicalPlan;
import org.thetis.sql.plan.WrittenColumns;

/**
 * A bound statement that writes rows.
 *
 * @param rows gives the written columns, in their order, then what some of them were converted from
 * @param unconverted per written column the position among the rows' columns of what it was converted from, or -1; empty when
 *     the rows have the written columns only
 * @param partitions names of those that may be written; empty for all
 */
public record BoundWrite(
        String catalog,
        String database,
        OlapTable table,
        WrittenColumns columns,
        LogicalPlan rows,
        List<Integer> unconverted,
        List<String> partitions) {
    /** Copies the lists. */
    public BoundWrite {
        unconverted = List.copyOf(unconverted);
        partitions = List.copyOf(partitions);
    }
}
