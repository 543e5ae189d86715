// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** CREATE INDEX name ON table. */
public record CreateIndex(QualifiedName table, IndexDefinition index) implements Statement {}
