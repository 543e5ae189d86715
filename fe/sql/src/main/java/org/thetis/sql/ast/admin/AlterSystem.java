// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import org.thetis.sql.ast.Statement;

/** ALTER SYSTEM with its one clause. */
public record AlterSystem(AlterSystemClause clause) implements Statement {}
