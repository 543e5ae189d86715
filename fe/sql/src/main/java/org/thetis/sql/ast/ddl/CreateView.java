// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.Statement;

/** CREATE VIEW. queryText is the source text of the query. */
public record CreateView(
        QualifiedName name,
        boolean ifNotExists,
        boolean orReplace,
        List<ViewColumn> columns,
        @Nullable String comment,
        Query query,
        String queryText)
        implements Statement {
    /** Copies the collections. */
    public CreateView {
        columns = List.copyOf(columns);
    }
}
