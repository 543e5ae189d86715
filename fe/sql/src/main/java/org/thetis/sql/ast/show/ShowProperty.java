// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;

/** SHOW [ALL] PROPERTY [FOR user]. */
public record ShowProperty(boolean all, @Nullable String user, ShowFilter filter) implements Statement {}
