// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.jspecify.annotations.Nullable;

/** FIRST, or AFTER a column. */
public record ColumnPosition(@Nullable String after) {}
