// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.dml;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.Statement;

/** INSERT INTO or INSERT OVERWRITE. columns is empty when not given; values may hold Expression.DefaultMarker. */
public record Insert(
        SourcePosition position,
        QualifiedName table,
        boolean overwrite,
        @Nullable PartitionSelection partitions,
        @Nullable String label,
        List<String> columns,
        List<String> hints,
        Query source)
        implements Statement {
    /** Copies the collections. */
    public Insert {
        columns = List.copyOf(columns);
        hints = List.copyOf(hints);
    }
}
