// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.dml;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Assignment;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.NamedQuery;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Relation;
import org.thetis.sql.ast.Statement;

/** UPDATE. from is null when the clause is missing. */
public record Update(
        List<NamedQuery> with,
        QualifiedName table,
        @Nullable String alias,
        List<Assignment> assignments,
        @Nullable Relation from,
        @Nullable Expression where)
        implements Statement {
    /** Copies the collections. */
    public Update {
        with = List.copyOf(with);
        assignments = List.copyOf(assignments);
    }
}
