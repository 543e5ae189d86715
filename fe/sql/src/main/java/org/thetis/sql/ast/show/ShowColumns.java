// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW [FULL] COLUMNS FROM table [FROM db]; database wins over the one in table. */
public record ShowColumns(boolean full, QualifiedName table, @Nullable QualifiedName database, ShowFilter filter)
        implements Statement {}
