// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW [FULL] TABLES or VIEWS [FROM db]. */
public record ShowTables(boolean full, boolean viewsOnly, @Nullable QualifiedName database, ShowFilter filter)
        implements Statement {}
