// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import org.thetis.sql.ast.Statement;

/** DROP ROLE. */
public record DropRole(String name, boolean ifExists) implements Statement {}
