// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** A SHOW of MySQL that answers with fixed or empty rows. database is set where the text names one. */
public record ShowCompatibility(ShowCompatibilityKind kind, @Nullable QualifiedName database, ShowFilter filter)
        implements Statement {}
