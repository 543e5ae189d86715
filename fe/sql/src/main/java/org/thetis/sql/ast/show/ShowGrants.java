// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UserIdentity;

/** SHOW [ALL] GRANTS [FOR user]. */
public record ShowGrants(boolean all, @Nullable UserIdentity user) implements Statement {}
