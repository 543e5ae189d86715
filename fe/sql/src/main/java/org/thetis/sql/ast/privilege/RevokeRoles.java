// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import java.util.List;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UserIdentity;

/** REVOKE roles FROM user. */
public record RevokeRoles(List<String> roles, UserIdentity user) implements Statement {
    /** Copies the collections. */
    public RevokeRoles {
        roles = List.copyOf(roles);
    }
}
