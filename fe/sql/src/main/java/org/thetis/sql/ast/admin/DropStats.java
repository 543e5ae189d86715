// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** DROP [CACHED or EXPIRED] STATS; name is null for EXPIRED. kind is upper-case or null. */
public record DropStats(
        @Nullable String kind,
        @Nullable QualifiedName name,
        @Nullable PartitionSelection partitions,
        List<String> columns)
        implements Statement {
    /** Copies the collections. */
    public DropStats {
        columns = List.copyOf(columns);
    }
}
