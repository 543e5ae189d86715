// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UserIdentity;

/** CREATE USER. */
public record CreateUser(
        UserIdentity user,
        boolean ifNotExists,
        @Nullable PasswordClause password,
        @Nullable String defaultRole,
        PasswordPolicy policy,
        @Nullable String comment)
        implements Statement {}
