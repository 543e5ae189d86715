// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.dml;

import org.thetis.sql.ast.Statement;

/** ROLLBACK. */
public record Rollback() implements Statement {}
