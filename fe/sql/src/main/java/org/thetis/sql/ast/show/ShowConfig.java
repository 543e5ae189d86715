// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;

/** SHOW FRONTEND CONFIG or SHOW BACKEND CONFIG [FROM id], also with ADMIN before it. */
public record ShowConfig(boolean backend, @Nullable Long backendId, ShowFilter filter) implements Statement {}
