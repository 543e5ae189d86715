// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import java.util.List;
import org.thetis.sql.ast.Statement;

/** ADMIN CLEAN TRASH [ON (backends)]. */
public record AdminCleanTrash(List<String> backends) implements Statement {
    /** Copies the collections. */
    public AdminCleanTrash {
        backends = List.copyOf(backends);
    }
}
