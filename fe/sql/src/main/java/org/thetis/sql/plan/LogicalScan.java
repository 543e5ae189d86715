// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.SlotReference;

/** Reads columns of a stored table. */
public record LogicalScan(TableReference table, ScanSelection selection, List<SlotReference> output, ReadMode mode)
        implements LogicalPlan, LeafPlan {
    /** Copies the list. */
    public LogicalScan {
        output = List.copyOf(output);
    }

    /** A scan as queries read. */
    public LogicalScan(TableReference table, ScanSelection selection, List<SlotReference> output) {
        this(table, selection, output, ReadMode.PLAIN);
    }

    /** The same scan that treats changed rows so. */
    public LogicalScan withMode(ReadMode other) {
        return new LogicalScan(table, selection, output, other);
    }

    /** The same scan of other columns. */
    public LogicalScan withOutput(List<SlotReference> columns) {
        return new LogicalScan(table, selection, columns, mode);
    }

    /** The same scan of a part of the table. */
    public LogicalScan withSelection(ScanSelection part) {
        return new LogicalScan(table, part, output, mode);
    }

    @Override
    public String nodeName() {
        return "LogicalOlapScan";
    }

    @Override
    public String details() {
        return "qualified=" + table.qualifiedName() + ", indexName="
                + table.table().name() + ", outputs=[" + PlanText.list(output) + "]";
    }
}
