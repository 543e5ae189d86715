// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Workload groups: there are none. */
public final class WorkloadGroupsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "ID bigint",
            "NAME",
            "CPU_SHARE",
            "MEMORY_LIMIT",
            "ENABLE_MEMORY_OVERCOMMIT",
            "MAX_CONCURRENCY",
            "MAX_QUEUE_SIZE",
            "QUEUE_TIMEOUT",
            "CPU_HARD_LIMIT",
            "SCAN_THREAD_NUM",
            "TAG");

    @Override
    public String name() {
        return "workload_groups";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        return List.of();
    }
}
