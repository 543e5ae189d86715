// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import java.util.List;
import org.thetis.sql.ast.Statement;

/** CANCEL DECOMMISSION BACKEND. */
public record CancelDecommission(List<String> backends) implements Statement {
    /** Copies the collections. */
    public CancelDecommission {
        backends = List.copyOf(backends);
    }
}
