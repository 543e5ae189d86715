// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;

/** CREATE ROLE. */
public record CreateRole(String name, boolean ifNotExists, @Nullable String comment) implements Statement {}
