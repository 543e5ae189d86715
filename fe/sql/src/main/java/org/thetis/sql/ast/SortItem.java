// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import org.jspecify.annotations.Nullable;

/** One key of ORDER BY. nullsFirst is null when the text does not say. */
public record SortItem(Expression expression, boolean ascending, @Nullable Boolean nullsFirst) {}
