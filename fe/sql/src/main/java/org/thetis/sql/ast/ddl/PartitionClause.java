// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import java.util.List;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.Expression;

/** PARTITION BY. Expressions are columns or, with AUTO, functions of columns. */
public record PartitionClause(
        SourcePosition position,
        boolean automatic,
        boolean list,
        List<Expression> expressions,
        List<PartitionDefinition> partitions) {
    /** Copies the collections. */
    public PartitionClause {
        expressions = List.copyOf(expressions);
        partitions = List.copyOf(partitions);
    }
}
