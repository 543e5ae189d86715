// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.Statement;

/** ALTER VIEW ... AS, or a new comment when query is null. */
public record AlterView(
        QualifiedName name,
        List<ViewColumn> columns,
        @Nullable String comment,
        @Nullable Query query,
        @Nullable String queryText)
        implements Statement {
    /** Copies the collections. */
    public AlterView {
        columns = List.copyOf(columns);
    }
}
