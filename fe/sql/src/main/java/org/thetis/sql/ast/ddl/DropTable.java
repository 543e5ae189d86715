// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** DROP TABLE. */
public record DropTable(QualifiedName name, boolean ifExists, boolean temporary, boolean force) implements Statement {}
