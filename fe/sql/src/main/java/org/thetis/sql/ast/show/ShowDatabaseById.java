// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.thetis.sql.ast.Statement;

/** SHOW DATABASE id. */
public record ShowDatabaseById(long databaseId) implements Statement {}
