// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** CLEAN LABEL [label] FROM db. */
public record CleanLabel(@Nullable String label, QualifiedName database) implements Statement {}
