// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW LOAD WARNINGS; url is set for ON 'url'. */
public record ShowLoadWarnings(@Nullable QualifiedName database, @Nullable String url, ShowFilter filter)
        implements Statement {}
