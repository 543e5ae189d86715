// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** ALTER DATABASE with its one clause. */
public record AlterDatabase(QualifiedName name, AlterDatabaseClause clause) implements Statement {}
