// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import java.util.List;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UserIdentity;

/** GRANT roles TO user. */
public record GrantRoles(List<String> roles, UserIdentity user) implements Statement {
    /** Copies the collections. */
    public GrantRoles {
        roles = List.copyOf(roles);
    }
}
