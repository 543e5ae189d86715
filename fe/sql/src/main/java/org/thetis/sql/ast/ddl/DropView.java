// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** DROP VIEW. */
public record DropView(QualifiedName name, boolean ifExists) implements Statement {}
