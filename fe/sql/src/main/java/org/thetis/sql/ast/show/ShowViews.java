// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW VIEW FROM table: the views that use it. */
public record ShowViews(QualifiedName table, @Nullable QualifiedName database) implements Statement {}
