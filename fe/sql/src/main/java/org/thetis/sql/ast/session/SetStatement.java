// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.session;

import java.util.List;
import org.thetis.sql.ast.Statement;

/** SET with one or more items, applied in order. */
public record SetStatement(List<SetItem> items) implements Statement {
    /** Copies the collections. */
    public SetStatement {
        items = List.copyOf(items);
    }
}
