// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW COLUMN [CACHED] STATS table [(columns)]. */
public record ShowColumnStats(
        boolean cached, QualifiedName table, List<String> columns, @Nullable PartitionSelection partitions)
        implements Statement {
    /** Copies the collections. */
    public ShowColumnStats {
        columns = List.copyOf(columns);
    }
}
