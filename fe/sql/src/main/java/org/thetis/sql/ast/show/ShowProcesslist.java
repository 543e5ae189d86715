// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.thetis.sql.ast.Statement;

/** SHOW [FULL] PROCESSLIST. */
public record ShowProcesslist(boolean full) implements Statement {}
