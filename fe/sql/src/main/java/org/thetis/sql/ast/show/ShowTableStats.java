// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW TABLE STATS table. */
public record ShowTableStats(QualifiedName table, @Nullable PartitionSelection partitions, List<String> columns)
        implements Statement {
    /** Copies the collections. */
    public ShowTableStats {
        columns = List.copyOf(columns);
    }
}
