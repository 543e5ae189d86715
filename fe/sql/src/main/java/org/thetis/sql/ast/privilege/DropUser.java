// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UserIdentity;

/** DROP USER. */
public record DropUser(UserIdentity user, boolean ifExists) implements Statement {}
