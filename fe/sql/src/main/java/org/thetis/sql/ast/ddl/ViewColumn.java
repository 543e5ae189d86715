// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.jspecify.annotations.Nullable;

/** A column name of a view with its comment. */
public record ViewColumn(String name, @Nullable String comment) {}
