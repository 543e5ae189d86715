// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import java.util.List;
import org.thetis.base.error.SourcePosition;

/** One named query of a WITH clause; recursive when the clause says RECURSIVE. */
public record NamedQuery(SourcePosition position, boolean recursive, String name, List<String> columns, Query query) {
    /** Copies the collections. */
    public NamedQuery {
        columns = List.copyOf(columns);
    }
}
