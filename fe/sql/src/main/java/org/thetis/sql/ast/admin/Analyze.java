// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/**
 * ANALYZE TABLE, or ANALYZE DATABASE when database is true. options holds sync, sample.percent, sample.rows, full,
 * incremental, histogram, cron, period, auto as given.
 */
public record Analyze(
        boolean database,
        QualifiedName name,
        @Nullable PartitionSelection partitions,
        List<String> columns,
        Map<String, String> options)
        implements Statement {
    /** Copies the collections. */
    public Analyze {
        columns = List.copyOf(columns);
        options = ImmutableMap.copyOf(options);
    }
}
