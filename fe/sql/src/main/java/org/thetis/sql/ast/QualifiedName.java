// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import java.util.List;
import org.thetis.base.error.SourcePosition;

/** A dotted name as written, outermost part first: catalog, database, table. */
public record QualifiedName(SourcePosition position, List<String> parts) {
    /** Copies the collections. */
    public QualifiedName {
        parts = List.copyOf(parts);
    }
}
