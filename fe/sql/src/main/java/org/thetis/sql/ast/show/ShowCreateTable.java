// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW [BRIEF] CREATE TABLE. */
public record ShowCreateTable(QualifiedName table, boolean brief) implements Statement {}
