// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import java.util.List;

/** PARTITION (p1, p2) after a table name. all is PARTITION (*). */
public record PartitionSelection(boolean temporary, boolean all, List<String> names) {
    /** Copies the collections. */
    public PartitionSelection {
        names = List.copyOf(names);
    }
}
