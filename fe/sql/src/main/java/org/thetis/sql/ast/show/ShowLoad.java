// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW [STREAM] LOAD [FROM db]. */
public record ShowLoad(boolean stream, @Nullable QualifiedName database, ShowFilter filter) implements Statement {}
