// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UserIdentity;

/** GRANT privileges ON scope TO user or role. */
public record Grant(
        List<PrivilegeItem> privileges, PrivilegeScope scope, @Nullable UserIdentity user, @Nullable String role)
        implements Statement {
    /** Copies the collections. */
    public Grant {
        privileges = List.copyOf(privileges);
    }
}
