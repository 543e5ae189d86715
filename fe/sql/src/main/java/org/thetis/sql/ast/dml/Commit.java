// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.dml;

import org.thetis.sql.ast.Statement;

/** COMMIT. */
public record Commit() implements Statement {}
