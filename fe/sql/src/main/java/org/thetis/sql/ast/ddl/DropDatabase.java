// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** DROP DATABASE. */
public record DropDatabase(QualifiedName name, boolean ifExists, boolean force) implements Statement {}
