// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import org.thetis.sql.ast.Statement;

/** ALTER ROLE. */
public record AlterRole(String name, String comment) implements Statement {}
