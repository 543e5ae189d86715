// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import java.util.List;
import org.thetis.sql.ast.Statement;

/** SHOW TABLETS BELONG ids. */
public record ShowTabletsBelong(List<Long> tabletIds) implements Statement {
    /** Copies the collections. */
    public ShowTabletsBelong {
        tabletIds = List.copyOf(tabletIds);
    }
}
