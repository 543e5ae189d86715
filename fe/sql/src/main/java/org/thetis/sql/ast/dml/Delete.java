// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.dml;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.NamedQuery;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Relation;
import org.thetis.sql.ast.Statement;

/** DELETE. using is null when the clause is missing. */
public record Delete(
        List<NamedQuery> with,
        QualifiedName table,
        @Nullable String alias,
        @Nullable PartitionSelection partitions,
        @Nullable Relation using,
        @Nullable Expression where)
        implements Statement {
    /** Copies the collections. */
    public Delete {
        with = List.copyOf(with);
    }
}
