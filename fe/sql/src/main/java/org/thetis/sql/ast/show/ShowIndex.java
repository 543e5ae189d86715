// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW INDEX or KEYS FROM table [FROM db]. */
public record ShowIndex(QualifiedName table, @Nullable QualifiedName database, ShowFilter filter)
        implements Statement {}
