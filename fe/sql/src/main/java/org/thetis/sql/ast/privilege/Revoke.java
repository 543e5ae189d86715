// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UserIdentity;

/** REVOKE privileges ON scope FROM user or role. */
public record Revoke(
        List<PrivilegeItem> privileges, PrivilegeScope scope, @Nullable UserIdentity user, @Nullable String role)
        implements Statement {
    /** Copies the collections. */
    public Revoke {
        privileges = List.copyOf(privileges);
    }
}
