// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import java.util.List;
import org.thetis.base.error.SourcePosition;

/**
 * The key model of a table. PRIMARY is PRIMARY KEY as in MySQL, given as a clause or at columns. Without a clause there
 * is no KeyClause. clusterBy is empty when not given.
 */
public record KeyClause(SourcePosition position, Kind kind, List<String> columns, List<String> clusterBy) {
    /** Which clause was written. */
    public enum Kind {
        DUPLICATE,
        UNIQUE,
        AGGREGATE,
        PRIMARY
    }

    /** Copies the collections. */
    public KeyClause {
        columns = List.copyOf(columns);
        clusterBy = List.copyOf(clusterBy);
    }
}
