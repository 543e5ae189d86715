// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import java.util.List;
import org.thetis.sql.ast.Statement;

/** ADMIN [CANCEL] REBALANCE DISK [ON (backends)]. */
public record AdminRebalanceDisk(boolean cancel, List<String> backends) implements Statement {
    /** Copies the collections. */
    public AdminRebalanceDisk {
        backends = List.copyOf(backends);
    }
}
