// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.thetis.sql.ast.Statement;

/** SHOW TABLE id. */
public record ShowTableById(long tableId) implements Statement {}
