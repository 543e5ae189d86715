// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;

/** SHOW TRASH [ON backend]. */
public record ShowTrash(@Nullable String backend) implements Statement {}
