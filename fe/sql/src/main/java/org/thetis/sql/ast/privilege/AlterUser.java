// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UserIdentity;

/** ALTER USER. */
public record AlterUser(
        UserIdentity user,
        boolean ifExists,
        @Nullable PasswordClause password,
        @Nullable String defaultRole,
        PasswordPolicy policy,
        @Nullable String comment)
        implements Statement {}
